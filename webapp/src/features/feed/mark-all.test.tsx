import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { followMetro, item } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

beforeEach(followMetro)

describe('marking all', () => {
  it('marks all as read', async () => {
    state.feed = [item(), item()]
    const { user } = renderApp('/feed')
    expect(await screen.findAllByRole('button', { name: /^Por ler/ })).toHaveLength(2)
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    expect(await screen.findByText('Está tudo lido.')).toBeInTheDocument()
    expect(screen.queryAllByRole('button', { name: /^Por ler/ })).toHaveLength(0)
    expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/read-all', body: {} })
  })

  it('takes back "mark all as read" where all that was unread is known', async () => {
    state.feed = [item({ id: 'n1' }), item({ id: 'n2', readAt: new Date().toISOString() })]
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    await user.click(await screen.findByRole('button', { name: 'Anular' }))
    await waitFor(() =>
      expect(actions.at(-1)).toEqual({ call: 'PATCH /subscribers/notifications/n1', body: { read: false } }),
    )
  })

  it('does not offer an undo that is impossible', async () => {
    state.feed = [item()]
    state.subscriptions[0]!.unreadCount = 50
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    await screen.findByText('Está tudo lido.')
    expect(screen.queryByRole('button', { name: 'Anular' })).not.toBeInTheDocument()
  })

  it('is not offered among the archived', async () => {
    const read = new Date().toISOString()
    state.feed = [item(), item({ title: 'Velha', readAt: read, archivedAt: read })]
    const { user } = renderApp('/feed')
    await screen.findByRole('button', { name: 'Marcar tudo como lido' })
    await user.click(screen.getByRole('link', { name: 'Arquivadas' }))
    expect(await screen.findByText('Velha')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Marcar tudo como lido' })).not.toBeInTheDocument()
  })
})

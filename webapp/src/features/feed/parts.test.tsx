import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fillParts, followMetro, titles } from '../../testing/feed'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

beforeEach(() => {
  followMetro()
  fillParts()
})

describe('the parts of the feed', () => {
  it('are in its address, one click each', async () => {
    const { user, history } = renderApp('/feed')
    await screen.findByText('Nova')
    expect(titles()).toHaveLength(3)
    for (const [part, address, shown] of [
      ['Por ler', '/feed?part=unread', 'Nova'],
      ['Importantes', '/feed?part=important', 'Urgente'],
      ['Arquivadas', '/feed?part=archived', 'Velha'],
    ] as const) {
      await user.click(screen.getByRole('link', { name: part }))
      await waitFor(() => expect(titles()).toEqual([expect.stringContaining(shown)]))
      expect(history.location.href).toBe(address)
      expect(screen.getByRole('link', { name: part, current: 'page' })).toBeInTheDocument()
    }
  })

  it('say what belongs there while they are empty', async () => {
    state.feed = []
    const { user } = renderApp('/feed?part=archived')
    expect(await screen.findByText('Nada arquivado')).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Por ler' }))
    expect(await screen.findByText('Está tudo lido')).toBeInTheDocument()
  })

  it('bring an archived notification back', async () => {
    const { user } = renderApp('/feed?part=archived')
    await user.click(await screen.findByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Desarquivar' }))
    await waitFor(() => expect(titles()).toEqual([]))
    expect(actions).toEqual([{ call: 'PATCH /subscribers/notifications/velha', body: { archived: false } }])
    expect(await screen.findByText('Voltou às notificações.')).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Tudo' }))
    expect(await screen.findByText('Velha')).toBeInTheDocument()
  })
})

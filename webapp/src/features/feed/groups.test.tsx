import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { cards, followMetro, item, listening } from '../../testing/feed'
import { channel, notification, ref, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, live, state } from '../../testing/server'

const minutes = (ago: number) => new Date(Date.now() - ago * 60_000).toISOString()
const tempo = channel({ publisherSlug: 'tempo', slug: 'avisos', name: 'Tempo' })

beforeEach(() => {
  followMetro()
  state.feed = Array.from({ length: 10 }, (_, at) =>
    at % 2
      ? notification({ channel: ref(tempo), title: `Chuva ${at}`, publishedAt: minutes(at + 1), readAt: minutes(0.5) })
      : item({ id: `n${at}`, title: `Aviso ${at}`, publishedAt: minutes(at + 1) }),
  )
  state.subscriptions = [{ ...state.subscriptions[0]!, unreadCount: 5 }, subscription(ref(tempo), { unreadCount: 0 })]
})

const group = () => screen.findByRole('button', { name: /Metro.*5 por ler/ })

describe('a group', () => {
  it('is one card between others, which opens to a list', async () => {
    const { user } = renderApp('/feed')
    const button = await group()
    expect(cards()).toHaveLength(6)
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getByText('Aviso 0')).toBeInTheDocument()
    expect(screen.queryByText('Aviso 2')).not.toBeInTheDocument()
    await user.click(button)
    const list = await screen.findByRole('region', { name: state.subscriptions[0]!.channel.name })
    await waitFor(() => expect(within(list).getAllByRole('article')).toHaveLength(5))
    await user.click(within(list).getByRole('button', { name: /Aviso 4/ }))
    await waitFor(() => expect(actions.map(({ call }) => call)).toContain('POST /subscribers/notifications/n4/events'))
    expect(within(list).getAllByRole('article'), 'what was read stays').toHaveLength(5)
    expect(cards()[0]).toContainElement(list)
  })

  it('is read in one action', async () => {
    const { user } = renderApp('/feed')
    await group()
    await user.click(within(cards()[0]!).getByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Marcar tudo deste canal como lido' }))
    const { id } = state.subscriptions[0]!.channel
    await waitFor(() =>
      expect(actions).toContainEqual({ call: 'POST /subscribers/notifications/read-all', body: { channelId: id } }),
    )
    expect(cards(), 'it stays where it is').toHaveLength(6)
  })

  it('is archived in one action, and comes back', async () => {
    const { user } = renderApp('/feed')
    await group()
    await user.click(within(cards()[0]!).getByRole('button', { name: 'Opções' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Arquivar o que está por ler' }))
    expect(await screen.findByText('5 notificações arquivadas.')).toBeInTheDocument()
    await waitFor(() => expect(cards()).toHaveLength(5))
    await user.click(screen.getByRole('button', { name: 'Anular' }))
    await waitFor(() => expect(cards()).toHaveLength(6))
  })

  it('stays where it is and counts when more arrives', async () => {
    renderApp('/feed')
    await group()
    await listening()
    live.send('notification', notification({ channel: ref(tempo), title: 'Sol' }))
    await screen.findByText('Sol')
    live.send('notification', item({ title: 'O mais novo' }))
    expect(await screen.findByText('O mais novo')).toBeInTheDocument()
    expect(cards()[0]).toHaveTextContent('Sol')
    expect(cards()[1]).toHaveTextContent('O mais novo')
    expect(screen.getByRole('button', { name: /Metro.*6 por ler/ })).toBeInTheDocument()
  })

  it('opens for the notification that a push led to', async () => {
    renderApp('/feed?notification=n4')
    expect(await screen.findByRole('button', { name: /Aviso 4/ })).toBeInTheDocument()
  })
})

it('keys act on all of a group', async () => {
  const { user } = renderApp('/feed')
  await group()
  await screen.findByRole('button', { name: 'Atalhos do teclado' })
  await user.keyboard('j')
  expect(await group()).toHaveFocus()
  await user.keyboard('u')
  await waitFor(() => expect(actions.map(({ call }) => call)).toContain('POST /subscribers/notifications/read-all'))
})

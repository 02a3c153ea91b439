import type { Notification } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, state } from '../../testing/server'

const metro = channel()
const read = new Date().toISOString()
const item = (over: Partial<Notification> = {}) => notification({ channel: ref(metro), ...over })
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent)

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.subscriptions = [subscription(ref(metro), { unreadCount: 1 })]
  state.feed = [
    item({ title: 'Urgente', importance: 'important', readAt: read }),
    item({ title: 'Nova' }),
    item({ title: 'Lida', readAt: read }),
    item({ id: 'velha', title: 'Velha', readAt: read, archivedAt: read }),
  ]
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
    await user.click(screen.getByRole('menuitem', { name: 'Desarquivar' }))
    await waitFor(() => expect(titles()).toEqual([]))
    expect(actions).toEqual([{ call: 'PATCH /subscribers/notifications/velha', body: { archived: false } }])
    expect(await screen.findByText('Voltou às notificações.')).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Tudo' }))
    expect(await screen.findByText('Velha')).toBeInTheDocument()
  })
})

it('the search is kept in the address, and finds nothing with a way on', async () => {
  const { user, history } = renderApp('/feed')
  await user.type(await screen.findByRole('searchbox', { name: 'Procurar nas notificações' }), 'urgente')
  await waitFor(() => expect(titles()).toEqual(['Urgente'].map((title) => expect.stringContaining(title))))
  expect(history.location.href).toBe('/feed?q=urgente')
  await user.type(screen.getByRole('searchbox', { name: 'Procurar nas notificações' }), 'x')
  expect(await screen.findByText('Nada encontrado')).toBeInTheDocument()
})

describe('a text', () => {
  it('can be selected, and its addresses are links that open elsewhere', async () => {
    state.feed = [item({ id: 'n1', body: 'Veja https://example.com/a. Ou ana@example.com.' })]
    const { user } = renderApp('/feed')
    const link = await screen.findByRole('link', { name: 'https://example.com/a' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(screen.getByRole('link', { name: 'ana@example.com' })).toHaveAttribute('href', 'mailto:ana@example.com')
    vi.spyOn(globalThis, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection)
    await user.click(screen.getByRole('article'))
    expect(actions).toEqual([]) // the end of a selection opens nothing
    vi.restoreAllMocks()
    await user.click(screen.getByRole('article'))
    await waitFor(() => expect(actions.map(({ call }) => call)).toEqual(['POST /subscribers/notifications/n1/events']))
  })
})

it('a picture opens large, and closes', async () => {
  state.feed = [item({ title: 'Obras', image: 'https://example.com/i.png' })]
  const { user } = renderApp('/feed')
  await user.click(await screen.findByRole('button', { name: 'Ver a imagem de «Obras»' }))
  const large = await screen.findByRole('dialog', { name: 'Imagem de «Obras»' })
  await user.click(within(large).getByRole('button', { name: 'Fechar' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('of many of one channel within an hour, the first few are whole and the others titles', async () => {
  const minutes = (ago: number) => new Date(Date.now() - ago * 60_000).toISOString()
  state.feed = Array.from({ length: 6 }, (_, index) =>
    item({ title: `Aviso ${index}`, body: `Texto ${index}`, publishedAt: minutes(index) }),
  )
  const { user } = renderApp('/feed')
  expect(await screen.findByText('Texto 0')).toBeInTheDocument()
  expect(titles()).toHaveLength(6)
  expect(screen.getByText('Texto 2')).toBeInTheDocument()
  expect(screen.queryByText('Texto 3')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Aviso 3/ }))
  expect(screen.getByText('Texto 3')).toBeInTheDocument()
})

it('a notification has a page, which can be shared', async () => {
  const id = '0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f'
  state.feed = [item({ id, title: 'Obras' })]
  const { user } = renderApp(`/channels/metro/linhas/${id}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Obras' })).toBeInTheDocument()
  await waitFor(() => expect(actions.map(({ call }) => call)).toContain(`POST /subscribers/notifications/${id}/events`))
  await user.click(screen.getByRole('button', { name: 'Partilhar' }))
  expect(await screen.findByText('Link copiado.')).toBeInTheDocument()
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/channels/metro/linhas/${id}`)
})

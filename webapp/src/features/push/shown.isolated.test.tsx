import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { live, state } from '../../testing/server'

vi.mock('../../lib/push/firebase', () => ({ pushAddress: vi.fn(), forgetAddress: vi.fn() }))

const metro = channel({ id: 'c-metro' })
const tempo = channel({ id: 'c-tempo', slug: 'tempo', name: 'Tempo' })

type Shown = { tag: string; data: unknown; close: () => void }
/** The system notifications that are shown. */
let shown: Shown[]
const tags = () => shown.map(({ tag }) => tag)

/** Shows a system notification as sw.ts does. */
function show(tag: string, { channel = 'metro/linhas', id = tag } = {}) {
  const one: Shown = {
    tag,
    data: { id, channel },
    close: () => (shown = shown.filter((each) => each !== one)),
  }
  shown.push(one)
}

const item = (id: string, over = {}) => notification({ id, title: id, channel: ref(metro), ...over })
const listening = () => waitFor(() => expect(live.open.size).toBe(1))
const setAppBadge = vi.fn(async () => {})
const clearAppBadge = vi.fn(async () => {})

beforeEach(() => {
  shown = []
  setAppBadge.mockClear()
  clearAppBadge.mockClear()
  vi.stubGlobal('Notification', { permission: 'granted' })
  vi.stubGlobal('PushManager', () => {})
  const registration = {
    getNotifications: async ({ tag }: { tag?: string } = {}) => shown.filter((each) => !tag || each.tag === tag),
  }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: Object.assign(new EventTarget(), { getRegistration: async () => registration }),
  })
  Object.assign(navigator, { setAppBadge, clearAppBadge })
  state.subscriber = subscriber()
  state.channels = [metro, tempo]
  state.subscriptions = [subscription(ref(metro), { unreadCount: 2 }), subscription(ref(tempo), { unreadCount: 1 })]
  state.feed = [item('n1'), item('n2'), item('n3', { channel: ref(tempo) })]
  for (const id of ['n1', 'n2']) show(id)
  show('n3', { channel: 'metro/tempo' })
  show('sininho', { id: '' })
  show('summary-n1', { id: 'n1' })
})

describe('system notifications', () => {
  it('is closed once it is read here, and nothing else is', async () => {
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: n1' }))
    await waitFor(() => expect(tags()).toEqual(['n2', 'n3', 'sininho', 'summary-n1']))
  })

  it('is closed once it is read elsewhere, though no list is loaded', async () => {
    renderApp('/settings')
    await listening()
    live.send('read', { notificationId: 'n2', readAt: new Date().toISOString() })
    await waitFor(() => expect(tags()).not.toContain('n2'))
    expect(tags()).toContain('n1')
  })

  it('stays when it became unread', async () => {
    renderApp('/settings')
    await listening()
    live.send('read', { notificationId: 'n2', readAt: null })
    live.send('read', { notificationId: 'n1', readAt: new Date().toISOString() })
    await waitFor(() => expect(tags()).not.toContain('n1'))
    expect(tags()).toContain('n2')
  })

  it('is closed with all of its channel', async () => {
    renderApp('/settings')
    await listening()
    await screen.findByText('3 por ler')
    live.send('read', { channelId: 'c-metro' })
    await waitFor(() => expect(tags()).toEqual(['n3', 'sininho', 'summary-n1']))
  })

  it('is closed when all is marked as read', async () => {
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Marcar tudo como lido' }))
    await waitFor(() => expect(tags()).toEqual(['sininho', 'summary-n1']))
  })

  it('is closed when it turns out, on coming back, to have been read', async () => {
    state.feed = [item('n1', { readAt: new Date().toISOString() }), item('n2')]
    renderApp('/feed')
    await waitFor(() => expect(tags()).not.toContain('n1'))
    expect(tags()).toContain('n2')
  })

  it('is closed on coming back when it was archived elsewhere, whichever screen is opened', async () => {
    state.feed = [item('n1', { archivedAt: new Date().toISOString() }), item('n2')]
    renderApp('/settings')
    await waitFor(() => expect(tags()).not.toContain('n1'))
    expect(tags()).toEqual(['n2', 'n3', 'sininho', 'summary-n1'])
  })

  it('is left alone without permission', async () => {
    vi.stubGlobal('Notification', { permission: 'default' })
    const { user } = renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Por ler: n1' }))
    await screen.findByRole('button', { name: 'n1' })
    expect(tags()).toContain('n1')
  })
})

describe('the badge of the app', () => {
  it('shows the unread count, and is removed with the session', async () => {
    const { user } = renderApp('/feed')
    await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(3))
    state.subscriptions = [subscription(ref(metro), { unreadCount: 1 }), subscription(ref(tempo), { unreadCount: 1 })]
    await user.click(await screen.findByRole('button', { name: 'Por ler: n1' }))
    await waitFor(() => expect(setAppBadge).toHaveBeenCalledWith(2))
    expect(clearAppBadge).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Marcar tudo como lido' }))
    await waitFor(() => expect(clearAppBadge).toHaveBeenCalled())
  })

  it('is cleared on signing out', async () => {
    const { user } = renderApp('/settings')
    await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(3))
    await user.click(await screen.findByRole('button', { name: 'Sair' }))
    await waitFor(() => expect(clearAppBadge).toHaveBeenCalled())
  })

  it('is no matter where there is none', async () => {
    Object.assign(navigator, { setAppBadge: undefined, clearAppBadge: undefined })
    renderApp('/feed')
    expect(await screen.findByRole('button', { name: 'Por ler: n1' })).toBeInTheDocument()
  })
})

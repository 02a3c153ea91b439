import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, live, server, state } from '../../testing/server'

// long, so that a busy machine does not change the counts
vi.mock('../../data/timing', () => ({ keptCurrent: 60_000, loadedAhead: 60_000 }))

const metro = ref(channel())
const [auth, feed, subscriptions, stream, invitations, devices] = [
  '/auth',
  '/subscribers/notifications',
  '/subscribers/channels',
  '/subscribers/notifications/stream',
  '/subscribers/invitations',
  '/subscribers/devices',
]
let calls: string[]
let streamedAfter: string | null
const listening = () => waitFor(() => expect(live.open.size).toBe(1))
/** The notices above the feed are loaded. */
const noticed = () => waitFor(() => expect(calls).toEqual(expect.arrayContaining([invitations, devices])))
const idle = ({ queryClient }: ReturnType<typeof renderApp>) => waitFor(() => expect(queryClient.isFetching()).toBe(0))

beforeEach(() => {
  calls = []
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    const path = new URL(request.url).pathname.replace('/api/v1', '')
    calls.push(path)
    if (path === stream) streamedAfter = request.headers.get('Last-Event-ID')
  })
  state.subscriber = subscriber()
  state.subscriptions = [subscription(metro)]
  state.feed = [notification({ channel: metro, title: 'Linha azul' })]
})

describe('opening the feed', () => {
  it('calls the API six times: once each for the session, stream, feed, subscriptions, invitations and devices', async () => {
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await listening()
    await noticed()
    await idle(app)
    expect(calls.toSorted()).toEqual([auth, subscriptions, feed, stream, invitations, devices].toSorted())
  })

  it('calls nothing again on return from another screen', async () => {
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await listening()
    await noticed()
    await app.router.navigate({ to: '/channels' })
    await screen.findByRole('heading', { level: 1, name: 'Canais' })
    await idle(app)
    calls = []
    await app.router.navigate({ to: '/feed' })
    await screen.findByText('Linha azul')
    await idle(app)
    expect(calls).toEqual([])
  })

  /** Holds the stream back, as a slow network does, until it is let go. */
  function holdStream(): () => void {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    // the default handler opens it
    server.use(http.get(at(stream), () => opened.then(() => undefined)))
    return open
  }

  it('asks once although the stream opens late, and misses nothing until then', async () => {
    const open = holdStream()
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await waitFor(() => expect(calls).toContain(stream))
    expect(streamedAfter).toBe(String(live.position))
    await noticed()
    open()
    await listening()
    live.send('notification', notification({ channel: metro, title: 'Entretanto' }))
    await screen.findByText('Entretanto')
    await idle(app)
    expect(calls.toSorted()).toEqual([auth, subscriptions, feed, stream, invitations, devices].toSorted())
    expect(document.title).toBe('(1) Notificações · Sininho')
  })

  it('does not count again what an answer has, wherever the stream begins', async () => {
    const arrived = notification({ channel: metro, title: 'Já contada' })
    server.use(
      http.get(at(feed), () => {
        const body = { data: [arrived], meta: { total: 1 } }
        return HttpResponse.json(body, { headers: { 'Stream-Position': String(live.position - 1) } })
      }),
    )
    live.position++
    state.subscriptions = [subscription(metro, { unreadCount: 1 })]
    renderApp('/feed')
    await listening()
    expect(streamedAfter).toBe(String(live.position - 1))
    live.send('notification', arrived, String(live.position))
    live.send('notification', notification({ channel: metro, title: 'Nova' }))
    await screen.findByText('Nova')
    expect(screen.getAllByRole('article')).toHaveLength(2)
    expect(document.title).toBe('(2) Notificações · Sininho')
  })

  it('does not put on top what belongs below the first page', async () => {
    const at = (minute: number) => `2026-11-28T10:${String(59 - minute)}:00Z`
    state.feed = Array.from({ length: 11 }, (_, i) => notification({ channel: metro, publishedAt: at(i) }))
    renderApp('/feed')
    await listening()
    live.send('notification', state.feed[10])
    live.send('notification', notification({ channel: metro, title: 'Nova', publishedAt: '2026-11-28T11:00:00Z' }))
    await screen.findByText('Nova')
    expect(screen.getAllByRole('article')).toHaveLength(11)
  })

  it('asks for the counts again when only one of their pages may have what arrives', async () => {
    state.subscriptions = Array.from({ length: 101 }, () => subscription(metro))
    server.use(
      http.get(at(subscriptions), ({ request }) => {
        if (request.url.includes('offset')) live.position++
      }),
    )
    const before = live.position
    renderApp('/feed')
    await listening()
    expect(streamedAfter).toBe(String(before))
    const pages = () => calls.filter((call) => call === subscriptions).length
    expect(pages()).toBe(2)
    live.send('notification', notification({ channel: metro }), String(before + 1))
    await waitFor(() => expect(pages()).toBe(4))
  })

  it('fetches once more when the server does not know the position any more', async () => {
    const open = holdStream()
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    open()
    await listening()
    state.feed = [notification({ channel: metro, title: 'Perdida' }), ...state.feed]
    live.send('reset', {})
    await screen.findByText('Perdida')
    await idle(app)
    for (const path of [feed, subscriptions]) expect(calls.filter((call) => call === path)).toHaveLength(2)
  })

  it('fetches once more when the answers do not say their position', async () => {
    const open = holdStream()
    server.use(http.get(at(feed), () => HttpResponse.json({ data: state.feed, meta: { total: 1 } })))
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await waitFor(() => expect(calls).toContain(stream))
    expect(streamedAfter).toBeNull()
    open()
    await waitFor(() => expect(calls.filter((call) => call === feed)).toHaveLength(2))
    await idle(app)
  })

  it('does not wait for a stream that fails', async () => {
    server.use(http.get(at(stream), () => HttpResponse.error()))
    renderApp('/feed')
    await screen.findByText('Linha azul')
  })

  it('streams although the feed fails', async () => {
    server.use(http.get(at(feed), () => HttpResponse.error()))
    renderApp('/feed')
    await listening()
    expect(streamedAfter).toBe(String(live.position))
  })
})

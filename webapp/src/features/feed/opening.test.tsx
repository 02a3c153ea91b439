import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, delay, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { channel, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { at, live, server, state } from '../../testing/server'

// long, so that a busy machine does not change the counts
const timing = vi.hoisted(() => ({ patience: 60_000, keptCurrent: 60_000 }))
vi.mock('../../data/timing', () => ({
  get patience() {
    return timing.patience
  },
  get keptCurrent() {
    return timing.keptCurrent
  },
}))

const metro = ref(channel())
const [auth, feed, subscriptions, stream, invitations] = [
  '/auth',
  '/subscribers/notifications',
  '/subscribers/channels',
  '/subscribers/notifications/stream',
  '/subscribers/invitations',
]
let calls: string[]
const listening = () => waitFor(() => expect(live.open.size).toBe(1))
const idle = ({ queryClient }: ReturnType<typeof renderApp>) => waitFor(() => expect(queryClient.isFetching()).toBe(0))

beforeEach(() => {
  timing.patience = 60_000
  calls = []
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    calls.push(new URL(request.url).pathname.replace('/api/v1', ''))
  })
  state.subscriber = subscriber()
  state.subscriptions = [subscription(metro)]
  state.feed = [notification({ channel: metro, title: 'Linha azul' })]
})

describe('opening the feed', () => {
  it('calls the API five times: once each for the session, stream, feed, subscriptions and invitations', async () => {
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await listening()
    await waitFor(() => expect(calls).toContain(invitations)) // once the notice is loaded
    await idle(app)
    expect(calls.toSorted()).toEqual([auth, subscriptions, feed, stream, invitations].toSorted())
  })

  it('calls nothing again on return from another screen', async () => {
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await listening()
    await waitFor(() => expect(calls).toContain(invitations))
    await app.router.navigate({ to: '/channels' })
    await screen.findByRole('heading', { level: 1, name: 'Canais' })
    await idle(app)
    calls = []
    await app.router.navigate({ to: '/feed' })
    await screen.findByText('Linha azul')
    await idle(app)
    expect(calls).toEqual([])
  })

  it('shows the feed although the stream does not open, and fetches it again once it does', async () => {
    timing.patience = 1
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    server.use(
      http.get(at(stream), async () => {
        await opened
        return undefined // the default handler opens it
      }),
    )
    const app = renderApp('/feed')
    await screen.findByText('Linha azul')
    await idle(app)
    expect(calls.filter((call) => call === feed)).toHaveLength(1)
    state.feed = [notification({ channel: metro, title: 'Entretanto' }), ...state.feed]
    open()
    await screen.findByText('Entretanto')
    await idle(app)
    expect(calls.filter((call) => call === feed)).toHaveLength(2)
  })

  it('does not wait for a stream that fails', async () => {
    server.use(http.get(at(stream), () => HttpResponse.error()))
    renderApp('/feed')
    await screen.findByText('Linha azul')
    expect(calls.indexOf(feed)).toBeGreaterThan(calls.indexOf(stream))
  })

  it('misses no notification while the list is fetched', async () => {
    server.use(http.get(at(feed), () => delay(50).then(() => undefined), { once: true }))
    renderApp('/feed')
    await listening()
    const arrived = notification({ channel: metro, title: 'Agora mesmo' })
    state.feed = [arrived, ...state.feed]
    live.send('notification', arrived, '2')
    await screen.findByText('Agora mesmo')
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { ApiError, streamChannel, streamFeed, type FeedEvent, type StreamOptions } from '../src/index.js'

type Connection = { request: Request; send: (text: string) => void; end: () => void; fail: () => void }

/** A fake `fetch` for event streams: the test writes to its connections. */
function server(responses: Record<number, () => Response> = {}) {
  const connections: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []
  let count = 0
  const fetch = async (request: Request) => {
    const respond = responses[count++]
    if (respond) return respond()
    const encoder = new TextEncoder()
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) })
    const from = request.headers.get('Last-Event-ID') ?? '10'
    controller.enqueue(encoder.encode(`retry: 1\nid: ${from}\n\n`))
    request.signal.addEventListener('abort', () => {
      try {
        controller.error(request.signal.reason)
      } catch {
        // the stream has already ended
      }
    })
    const connection: Connection = {
      request,
      send: (text) => controller.enqueue(encoder.encode(text)),
      end: () => controller.close(),
      fail: () => controller.error(new TypeError('terminated')),
    }
    connections.push(connection)
    waiting.shift()?.(connection)
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  const nextConnection = () => new Promise<Connection>((resolve) => waiting.push(resolve))
  return { fetch, connections, nextConnection, calls: () => count }
}

const options = (s: ReturnType<typeof server>, more: Partial<StreamOptions> = {}): StreamOptions => ({
  baseUrl: 'http://sininho.test/api/v1/',
  fetch: s.fetch,
  reconnectDelay: 1,
  ...more,
})
const take = async (events: AsyncGenerator<FeedEvent, void>, count: number) => {
  const taken: FeedEvent[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

describe('streamFeed', () => {
  it('returns typed events, skipping comments and a block with only an id', async () => {
    const s = server()
    const events = streamFeed(options(s))
    const connected = s.nextConnection()
    const taken = take(events, 6)
    const { request, send } = await connected
    expect(request.url).toBe('http://sininho.test/api/v1/subscribers/notifications/stream')
    expect(request.headers.get('Last-Event-ID')).toBeNull()
    send(': heartbeat\n\n')
    send('id: 11\nevent: notification\ndata: {"id":"n1"}\n\nid: 12\nevent: corrected\nda')
    send('ta: {"id":"n1"}\n\nid: 13\nevent: withdrawn\ndata: {"id":"n1","channelId":"c1"}\n\n')
    send('event: read\ndata: {"channelId":"c1"}\n\nevent: of-tomorrow\ndata: {}\n\nevent: reset\ndata: {}\n\n')
    expect(await taken).toEqual([
      { type: 'open', again: false, id: '10' },
      { type: 'notification', notification: { id: 'n1' }, id: '11' },
      { type: 'corrected', notification: { id: 'n1' }, id: '12' },
      { type: 'withdrawn', notificationId: 'n1', id: '13' },
      { type: 'read', channelId: 'c1', id: '13' },
      { type: 'reset', id: '13' },
    ])
    await events.return()
  })

  it('reconnects from where it was cut off, without the incomplete event', async () => {
    const s = server()
    const events = streamFeed(options(s, { lastEventId: '5' }))
    let connected = s.nextConnection()
    const taken = take(events, 4)
    let c = await connected
    expect(c.request.headers.get('Last-Event-ID')).toBe('5')
    connected = s.nextConnection()
    c.send('id: 6\nevent: notification\ndata: {"id":"a"}\n\nid: 7\nevent: notification\ndata: {"id"')
    await new Promise((resolve) => setTimeout(resolve, 5))
    c.fail()
    c = await connected
    expect(c.request.headers.get('Last-Event-ID')).toBe('6')
    c.send('id: 7\nevent: notification\ndata: {"id":"b"}\n\n')
    expect(await taken).toEqual([
      { type: 'open', again: false, id: '5' },
      { type: 'notification', notification: { id: 'a' }, id: '6' },
      { type: 'open', again: true, id: '6' },
      { type: 'notification', notification: { id: 'b' }, id: '7' },
    ])
    await events.return()
  })

  it('retries when temporarily refused, and when the server ends the stream', async () => {
    const s = server({
      0: () => Response.json({ code: 'unavailable' }, { status: 503, headers: { 'Retry-After': '0' } }),
      1: () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    })
    const failures: string[] = []
    const events = streamFeed(options(s, { onRetry: (error, wait) => failures.push(`${error.name} ${wait < 5}`) }))
    const connected = s.nextConnection()
    const taken = take(events, 2)
    const first = await connected
    const again = s.nextConnection()
    first.end()
    await again
    expect(await taken).toEqual([
      { type: 'open', again: false, id: '10' },
      { type: 'open', again: true, id: '10' },
    ])
    expect(s.calls()).toBe(4)
    expect(failures).toEqual(['ApiError true', 'NetworkError true', 'NetworkError true'])
    await events.return()
  })

  it('throws an error that retrying cannot resolve', async () => {
    const s = server({ 0: () => Response.json({ code: 'unauthenticated' }, { status: 401 }) })
    await expect(streamFeed(options(s)).next()).rejects.toBeInstanceOf(ApiError)
    expect(s.calls()).toBe(1)
  })

  it('treats silence as a dead connection', async () => {
    const s = server()
    const failures: string[] = []
    const events = streamFeed(options(s, { idleTimeout: 10, onRetry: (error) => failures.push(error.message) }))
    expect(await take(events, 2)).toEqual([
      { type: 'open', again: false, id: '10' },
      { type: 'open', again: true, id: '10' },
    ])
    expect(s.connections[0]?.request.signal.aborted).toBe(true)
    expect(failures).toEqual(['The server went silent'])
    await events.return()
  })

  it('does not treat a slow reader as silence', async () => {
    vi.useFakeTimers()
    const s = server()
    const events = streamFeed(options(s, { idleTimeout: 10 }))
    const connected = s.nextConnection()
    await events.next()
    ;(await connected).send('event: reset\ndata: {}\n\n')
    await vi.advanceTimersByTimeAsync(1000)
    expect((await events.next()).value).toEqual({ type: 'reset', id: '10' })
    expect(s.connections).toHaveLength(1)
    await events.return()
    vi.useRealTimers()
  })

  it('waits longer after each failure, and at least as long as the server asks', async () => {
    const down = () => {
      throw new TypeError('fetch failed')
    }
    const busy = () => new Response(null, { status: 429, headers: { 'Retry-After': '0.05' } })
    const s = server({ 0: down, 1: down, 2: down, 3: busy })
    const waits: number[] = []
    const events = streamFeed(options(s, { reconnectDelay: 4, onRetry: (_error, wait) => waits.push(wait) }))
    await events.next()
    expect(waits[3]).toBe(50)
    for (const [failures, bound] of [4, 8, 16].entries()) {
      expect(waits[failures]).toBeGreaterThanOrEqual(bound / 2)
      expect(waits[failures]).toBeLessThanOrEqual(bound)
    }
    await events.return()
  })

  it('ends when the caller aborts, waiting or reading', async () => {
    const s = server()
    const caller = new AbortController()
    const events = streamFeed(options(s, { signal: caller.signal }))
    const connected = s.nextConnection()
    await events.next()
    await connected
    const rest = events.next()
    caller.abort()
    expect(await rest).toEqual({ done: true, value: undefined })
    expect(s.connections[0]?.request.signal.aborted).toBe(true)
    expect(await streamFeed(options(s, { signal: caller.signal })).next()).toMatchObject({ done: true })
  })

  it('cancels the body when the caller aborts, even if `fetch` ignores the signal', async () => {
    const caller = new AbortController()
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('id: 1\n\n')),
      cancel,
    })
    const fetch = async () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    const events = streamFeed({ baseUrl: 'http://sininho.test', fetch, signal: caller.signal })
    await events.next()
    const rest = events.next()
    caller.abort()
    expect(await rest).toEqual({ done: true, value: undefined })
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('skips an event that cannot be parsed', async () => {
    const s = server()
    const events = streamFeed(options(s))
    const connected = s.nextConnection()
    const taken = take(events, 2)
    ;(await connected).send('event: notification\ndata: {broken\n\nevent: reset\ndata: {}\n\n')
    expect(await taken).toEqual([
      { type: 'open', again: false, id: '10' },
      { type: 'reset', id: '10' },
    ])
    await events.return()
  })
})

describe('streamChannel', () => {
  it('requests the channel’s stream with the given credentials', async () => {
    const s = server()
    const events = streamChannel('metro', 'linha azul', options(s, { apiKey: 'snh_live_x', headers: { 'X-A': 'b' } }))
    await events.next()
    const { headers } = s.connections[0]!.request
    expect(headers.get('Authorization')).toBe('Bearer snh_live_x')
    expect(headers.get('X-A')).toBe('b')
    expect(headers.get('Accept')).toBe('text/event-stream')
    expect(s.connections[0]?.request.url).toBe(
      'http://sininho.test/api/v1/channels/metro/linha%20azul/notifications/stream',
    )
    await events.return()
  })
})

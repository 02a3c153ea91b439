import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, createMainClient, unwrap } from '../src/index.js'

type Respond = () => Response | Promise<Response>

/** Returns the given responses in order, and 200 after the last. */
const clientOf = (responses: Respond[], options: Partial<ClientOptions> = {}) => {
  const attempts: { at: number; key: string | null; body: string }[] = []
  const start = Date.now()
  const client = createMainClient({
    baseUrl: 'http://sininho.test/api/v1',
    apiKey: 'snh_live_x',
    fetch: async (request) => {
      const respond = responses[attempts.length] ?? (() => Response.json({ id: 'n1' }))
      const key = request.headers.get('Idempotency-Key')
      attempts.push({ at: Date.now() - start, key, body: await request.text() })
      return respond()
    },
    ...options,
  })
  return { client, attempts }
}

const status =
  (code: number, headers: Record<string, string> = {}, problem = {}): Respond =>
  () =>
    Response.json({ status: code, code: 'x', ...problem }, { status: code, headers })
const noResponse: Respond = () => Promise.reject(new TypeError('fetch failed'))
const cutOff: Respond = () =>
  new Response(new ReadableStream({ start: (c) => c.error(new TypeError('terminated')) }), {
    status: 201,
    headers: { 'Content-Type': 'application/json' },
  })

const publish = '/channels/{publisherSlug}/{channelSlug}/notifications'
const input = { params: { path: { publisherSlug: 'demo', channelSlug: 'a' } }, body: { title: 'Olá' } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs all timers and returns the outcome of the call. */
async function settled<T>(call: Promise<T>) {
  const outcome = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error as Error & { status?: number } }),
  )
  await vi.advanceTimersByTimeAsync(300_000)
  return outcome
}

describe('retries', () => {
  it.each([
    ['no response', noResponse],
    ['a response that breaks off', cutOff],
    ['429', status(429)],
    ['500', status(500)],
    ['503', status(503)],
    ['409 in flight', status(409, {}, { code: 'idempotency_in_flight' })],
  ])('publishes again after %s, under one key', async (_what, respond) => {
    const { client, attempts } = clientOf([respond, respond])
    expect(await settled(unwrap(client.POST(publish, input)))).toEqual({ value: { id: 'n1' } })
    expect(attempts).toHaveLength(3)
    expect(attempts.map(({ body }) => body)).toEqual(Array(3).fill('{"title":"Olá"}'))
    expect(attempts[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1)
  })

  it('makes a key for each call, unless the caller has given one', async () => {
    const { client, attempts } = clientOf([])
    await settled(client.POST(publish, input))
    await settled(client.POST(publish, input))
    const header = { 'Idempotency-Key': 'mine' }
    await settled(client.POST(publish, { ...input, params: { ...input.params, header } }))
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(3)
    expect(attempts[2]?.key).toBe('mine')
  })

  it('gives up after two, with the last failure', async () => {
    const { client, attempts } = clientOf([noResponse, noResponse, status(503), noResponse])
    expect(await settled(client.GET('/categories'))).toMatchObject({ error: { name: 'ApiError', status: 503 } })
    expect(attempts).toHaveLength(3)
  })

  it.each([400, 401, 403, 404, 409, 412, 422, 501])('a %i is final', async (code) => {
    const { client, attempts } = clientOf([status(code)])
    expect(await settled(client.POST(publish, input))).toMatchObject({ error: { status: code } })
    expect(attempts).toHaveLength(1)
  })

  it('does not repeat a POST that could take effect twice, unless it was refused unprocessed', async () => {
    const test = '/subscribers/devices/{id}/test'
    const device = { params: { path: { id: 'd1' } } }
    for (const respond of [noResponse, status(500)]) {
      const { client, attempts } = clientOf([respond])
      expect(await settled(client.POST(test, device))).toHaveProperty('error')
      expect(attempts).toMatchObject([{ key: null }])
    }
    const { client, attempts } = clientOf([status(429)])
    expect(await settled(client.POST(test, device))).toHaveProperty('value')
    expect(attempts).toHaveLength(2)
  })

  it('waits with jitter, longer each time', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { client, attempts } = clientOf([noResponse, noResponse, noResponse], { retries: 3 })
    await settled(client.GET('/categories'))
    expect(attempts.map(({ at }) => at)).toEqual([0, 125, 375, 875])
    vi.restoreAllMocks()
  })

  it('waits at least as long as the server asks, and at most a minute', async () => {
    const { client, attempts } = clientOf([status(429, { 'Retry-After': '20' }), status(429, { 'Retry-After': '61' })])
    expect(await settled(client.GET('/categories'))).toMatchObject({ error: { status: 429, retryAfter: 61 } })
    expect(attempts).toHaveLength(2)
    expect(attempts[1]?.at).toBeGreaterThanOrEqual(20_000)
  })

  it('ends at once when the caller gives up waiting', async () => {
    const { client, attempts } = clientOf([status(429, { 'Retry-After': '30' })])
    const giveUp = new AbortController()
    const call = client.GET('/categories', { signal: giveUp.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    giveUp.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    expect(attempts).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not retry by itself in a web app, and sends no key then', async () => {
    const { client, attempts } = clientOf([noResponse], { apiKey: undefined as never })
    expect(await settled(client.POST(publish, input))).toMatchObject({ error: { name: 'NetworkError' } })
    expect(attempts).toMatchObject([{ key: null }])
  })
})

import { describe, expect, it } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  NetworkError,
  createMainClient,
  createWaitlistClient,
  unwrap,
} from '../src/index.js'

const baseUrl = 'http://sininho.test/api/v1'
const clientOf = (
  respond: (request: Request) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) => {
  const requests: Request[] = []
  const client = createMainClient({
    baseUrl,
    apiKey: 'snh_live_x',
    fetch: async (request) => {
      requests.push(request)
      return respond(request)
    },
    retries: 0,
    ...options,
  })
  return { client, requests }
}

describe('createMainClient', () => {
  it('sends query, key and credentials, and returns the data', async () => {
    const { client, requests } = clientOf(() => Response.json({ data: [], meta: { total: 0 } }))
    const page = await unwrap(client.GET('/channels', { params: { query: { q: 'água', limit: 5 } } }))
    expect(page.meta.total).toBe(0)
    expect(requests[0]?.url).toBe(`${baseUrl}/channels?q=%C3%A1gua&limit=5`)
    expect(requests[0]?.credentials).toBe('include')
    expect(requests[0]?.headers.get('Authorization')).toBe('Bearer snh_live_x')
  })

  it('returns undefined for a 204', async () => {
    const { client } = clientOf(() => new Response(null, { status: 204 }))
    expect(await unwrap(client.DELETE('/auth'))).toBeUndefined()
  })

  it('looks up the platform’s fetch at each call', async () => {
    const client = createMainClient({ baseUrl })
    const original = globalThis.fetch
    globalThis.fetch = async () => Response.json({ caller: 'visitor', signInMethods: [] })
    try {
      expect((await unwrap(client.GET('/auth'))).caller).toBe('visitor')
    } finally {
      globalThis.fetch = original
    }
  })

  it('throws a problem document as ApiError', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'O pedido tem 1 falha.',
      code: 'invalid',
      requestId: 'r-1',
      errors: [{ pointer: '#/title', code: 'too_long', detail: 'tem mais de 200 caracteres' }],
    }
    const { client } = clientOf(() => Response.json(problem, { status: 422 }))
    const error = await client.GET('/auth').catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid',
      title: 'Unprocessable Entity',
      requestId: 'r-1',
    })
    expect((error as ApiError).detail).toBe('O pedido tem 1 falha.')
    expect((error as ApiError).errors[0]?.pointer).toBe('#/title')
    expect(String(error)).not.toContain('snh_live_x')
  })

  it('describes an error that is no problem document', async () => {
    const { client } = clientOf(
      () =>
        new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'Retry-After': '3', 'X-Request-Id': 'p-1' } }),
    )
    await expect(client.GET('/auth')).rejects.toMatchObject({
      name: 'ApiError',
      status: 502,
      code: 'unknown',
      message: 'GET /api/v1/auth: HTTP 502',
      requestId: 'p-1',
      retryAfter: 3,
    })
  })

  it('throws NetworkError when there is no response, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = clientOf(() => Promise.reject(cause))
    const error = await client.GET('/auth').catch((e: unknown) => e)
    expect(error).toBeInstanceOf(NetworkError)
    expect((error as NetworkError).cause).toBe(cause)
  })

  it('throws NetworkError when the response breaks off', async () => {
    const { client } = clientOf(() => {
      const body = new ReadableStream({ start: (c) => c.error(new TypeError('terminated')) })
      return new Response(body, { headers: { 'Content-Type': 'application/json' } })
    })
    await expect(unwrap(client.GET('/auth'))).rejects.toBeInstanceOf(NetworkError)
  })

  it('throws NetworkError when something else responds', async () => {
    const { client } = clientOf(() => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }))
    await expect(client.GET('/auth')).rejects.toMatchObject({
      name: 'NetworkError',
      message: expect.stringContaining('base URL'),
    })
  })

  it('throws NetworkError when the server is silent for too long, with or without headers', async () => {
    const silent = (request: Request) =>
      new Promise<Response>((_, reject) => request.signal.addEventListener('abort', () => reject(new TypeError('x'))))
    const halting = ({ signal }: Request) =>
      new Response(new ReadableStream().pipeThrough(new TransformStream(), { signal }), {
        headers: { 'Content-Type': 'application/json' },
      })
    for (const respond of [silent, halting]) {
      const { client } = clientOf(respond, { timeout: 5 })
      await expect(client.GET('/auth')).rejects.toMatchObject({
        name: 'NetworkError',
        message: expect.stringContaining('in time'),
      })
    }
  })

  it('throws the reason of the caller’s signal, of any type', async () => {
    const giveUp = new AbortController()
    const { client } = clientOf(() => {
      giveUp.abort(new Error('enough'))
      throw new TypeError('aborted')
    })
    await expect(client.GET('/auth', { signal: giveUp.signal })).rejects.toThrow('enough')
  })

  it('throws an abort as it is', async () => {
    const { client } = clientOf((request) => {
      request.signal.throwIfAborted()
      return Response.json({})
    })
    await expect(client.GET('/auth', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('createWaitlistClient', () => {
  const clientOf = (respond: () => Response, options: Partial<ClientOptions> = {}) => {
    const requests: Request[] = []
    const client = createWaitlistClient({
      baseUrl,
      fetch: async (request) => {
        requests.push(request)
        return respond()
      },
      ...options,
    })
    return { client, requests }
  }

  it('calls the API of the waiting list, with the credentials of a browser', async () => {
    const { client, requests } = clientOf(() => Response.json({ status: 'accepted' }, { status: 202 }))
    const receipt = await unwrap(client.POST('/waitlist/entries', { body: { email: 'ana@example.com' } }))
    expect(receipt.status).toBe('accepted')
    expect(requests[0]?.url).toBe(`${baseUrl}/waitlist/entries`)
    expect(requests[0]?.credentials).toBe('include')
    expect(await requests[0]?.json()).toEqual({ email: 'ana@example.com' })
  })

  it('invites once under one key, although an attempt fails', async () => {
    const responses = [new Response(null, { status: 502 }), Response.json({ data: [] })]
    const { client, requests } = clientOf(() => responses.shift()!, { apiKey: 'sna_live_x' })
    await unwrap(client.POST('/waitlist/invitations', { body: { next: 5 } }))
    const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
  })

  it('returns the export as text, whole or not at all', async () => {
    const csv = { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }
    const { client } = clientOf(() => new Response('id,email\n1,ana@example.com\n', csv))
    const text = await unwrap(client.GET('/waitlist/entries/export', { parseAs: 'text' }))
    expect(text).toBe('id,email\n1,ana@example.com\n')

    const broken = new ReadableStream({ start: (c) => c.error(new TypeError('terminated')) })
    const { client: cut } = clientOf(() => new Response(broken, csv))
    await expect(cut.GET('/waitlist/entries/export', { parseAs: 'text' })).rejects.toBeInstanceOf(NetworkError)
  })
})

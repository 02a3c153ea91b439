import { describe, expect, it } from 'vitest'
import { ApiError, Sininho } from '../src/index.js'
import { baseUrlOf } from '../src/base-url.js'

/** A Sininho whose requests are recorded and answered by a function. */
function recorded(answer: (request: Request) => unknown) {
  const requests: string[] = []
  const bodies: unknown[] = []
  const headers: Headers[] = []
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    requests.push(`${request.method} ${pathname}${search}`)
    headers.push(request.headers)
    bodies.push(request.body ? await request.json() : undefined)
    const found = answer(request)
    return found instanceof Response ? found : Response.json(found)
  }
  return {
    sininho: new Sininho({ url: 'http://sininho.test', apiKey: 'snh_live_x', fetch }),
    requests,
    bodies,
    headers,
  }
}

describe('Sininho', () => {
  it('publishes by the address of a channel, under one key', async () => {
    const { sininho, requests, bodies, headers } = recorded(() => ({ id: 'n1', title: 'Olá' }))
    const made = await sininho.notifications.publish('acme/deploys', { title: 'Olá' })
    await sininho.notifications.publish('acme/deploys', 'Cópia feita\n3 GB\n', { idempotencyKey: 'k' })
    expect(made.id).toBe('n1')
    expect(requests).toEqual(Array(2).fill('POST /api/v1/channels/acme/deploys/notifications'))
    expect(bodies).toEqual([{ title: 'Olá' }, { title: 'Cópia feita', body: '3 GB' }])
    expect(headers[0]!.get('Authorization')).toBe('Bearer snh_live_x')
    expect(headers[0]!.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
    expect(headers[1]!.get('Idempotency-Key')).toBe('k')
  })

  it('lists with for await, a total, and pages', async () => {
    const { sininho, requests } = recorded((request) => {
      const { searchParams } = new URL(request.url)
      const second = searchParams.get('cursor') === 'c'
      return {
        data: second ? [{ id: '3' }] : [{ id: '1' }, { id: '2' }],
        meta: second ? { total: 3 } : { total: 3, nextCursor: 'c' },
      }
    })
    const list = sininho.notifications.list('acme/deploys', { pageSize: 2 })
    const ids: string[] = []
    for await (const { id } of list) ids.push(id)
    expect(ids).toEqual(['1', '2', '3'])
    expect(await list.total()).toBe(3)
    expect((await list.page({ cursor: 'c' })).data).toEqual([{ id: '3' }])
    expect(await list.all(1)).toEqual([{ id: '1' }])
    expect(requests[0]).toBe('GET /api/v1/channels/acme/deploys/notifications?limit=2')
  })

  it('follows a channel by its address', async () => {
    const { sininho, requests } = recorded((request) =>
      request.url.endsWith('subscribe') ? new Response(null, { status: 204 }) : { id: 'c1' },
    )
    await sininho.subscriptions.follow('acme/deploys')
    expect(requests).toEqual(['GET /api/v1/channels/acme/deploys', 'POST /api/v1/subscribers/channels/c1/subscribe'])
  })

  it('throws what the server says', async () => {
    const problem = {
      title: 'Não',
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '#/title', code: 'required', detail: 'falta' }],
    }
    const { sininho } = recorded(() => Response.json(problem, { status: 422, headers: { 'X-Request-Id': 'r1' } }))
    const error = await sininho.channels.get('acme/deploys').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', requestId: 'r1', errors: problem.errors })
  })

  it('aborts a call', async () => {
    const { sininho } = recorded(() => ({}))
    const signal = AbortSignal.abort(new Error('left'))
    await expect(sininho.channels.get('acme/deploys', { signal })).rejects.toThrow('left')
  })

  it.each(['', 'acme', 'acme/deploys/x', '/deploys'])('refuses %j as a channel', (channel) => {
    const { sininho, requests } = recorded(() => ({}))
    expect(() => sininho.notifications.publish(channel, 'x')).toThrow('publisher/channel')
    expect(requests).toEqual([])
  })

  it('refuses an empty key', () => {
    expect(() => new Sininho({ url: 'http://sininho.test', apiKey: ' ' })).toThrow('empty')
  })
})

it.each([
  ['https://a.example', 'https://a.example/api/v1'],
  ['https://a.example/', 'https://a.example/api/v1'],
  ['http://localhost:8080/api/v1/', 'http://localhost:8080/api/v1'],
  ['https://a.example/sininho/api/v1', 'https://a.example/sininho/api/v1'],
])('takes %s for %s', (given, want) => expect(baseUrlOf(given)).toBe(want))

it.each(['', 'a.example', 'ftp://a.example', 'https://u:p@a.example', 'https://a.example?x', 'https://a.example#x'])(
  'refuses the url %j',
  (given) => expect(() => baseUrlOf(given)).toThrow(TypeError),
)

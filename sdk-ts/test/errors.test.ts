import { describe, expect, it } from 'vitest'
import { ApiError, createMainClient, createWaitlistClient, NetworkError } from '../src/index.js'

const baseUrl = 'http://sininho.test/api/v1'
const problem = { status: 422, code: 'invalid', title: 'Unprocessable Entity', detail: 'O pedido tem 1 falha.' }
const refusing = async () => Response.json(problem, { status: 422 })
const failed = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('an error', () => {
  it('names method and path of a refused request, without the query', async () => {
    const client = createMainClient({ baseUrl, apiKey: 'snh_live_x', fetch: refusing })
    const error = await failed(client.GET('/channels', { params: { query: { q: 'segredo' } } }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      message: 'GET /api/v1/channels: O pedido tem 1 falha.',
      method: 'GET',
      path: '/api/v1/channels',
      detail: 'O pedido tem 1 falha.',
    })
  })

  it('names method and path when no server was reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    const client = createMainClient({ baseUrl, fetch })
    const path = { publisherSlug: 'demo', channelSlug: 'novidades' }
    const call = client.DELETE('/channels/{publisherSlug}/{channelSlug}', { params: { path } })
    const error = await failed(call)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({
      message: 'DELETE /api/v1/channels/demo/novidades: The server could not be reached',
      method: 'DELETE',
      path: '/api/v1/channels/demo/novidades',
    })
  })

  it('names the request when the server is silent, and when something else responds', async () => {
    const silent = () => new Promise<Response>(() => {})
    const late = await failed(createMainClient({ baseUrl, fetch: silent, timeout: 5 }).GET('/auth'))
    expect(late).toMatchObject({ message: 'GET /api/v1/auth: The server did not respond in time' })
    const page = async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    const elsewhere = await failed(createMainClient({ baseUrl, fetch: page }).GET('/auth'))
    expect(elsewhere).toMatchObject({ message: expect.stringMatching(/^GET \/api\/v1\/auth: .*base URL/) })
  })

  it('contains no credential of a path', async () => {
    const waitlist = createWaitlistClient({ baseUrl, fetch: refusing })
    const token = { params: { path: { token: 'segredo' } } }
    expect(await failed(waitlist.POST('/waitlist/entries/{token}/confirm', token))).toMatchObject({
      path: '/api/v1/waitlist/entries/{token}/confirm',
      message: expect.not.stringContaining('segredo'),
    })
    expect(await failed(waitlist.GET('/waitlist/entries/export', { parseAs: 'text' }))).toMatchObject({
      path: '/api/v1/waitlist/entries/export',
    })
    const client = createMainClient({ baseUrl, fetch: refusing })
    const webhook = { params: { path: { id: 'segredo' } }, body: { title: 'Olá' } }
    expect(await failed(client.POST('/webhooks/channels/{id}', webhook))).toMatchObject({
      path: '/api/v1/webhooks/channels/{id}',
      message: expect.not.stringContaining('segredo'),
    })
  })

  it('has only the message when an application creates it', () => {
    expect(new NetworkError(undefined, 'Sem rede.').message).toBe('Sem rede.')
    expect(new ApiError(502).message).toBe('HTTP 502')
  })
})

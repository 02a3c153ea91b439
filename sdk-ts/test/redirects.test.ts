import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMainClient, NetworkError, streamFeed } from '../src/index.js'

/** A server that redirects everything to another one, which counts its requests. */
let other: Server, redirecting: Server, status: number, followed: number, baseUrl: string

const listen = (respond: Parameters<typeof createServer<typeof IncomingMessage>>[1]) =>
  new Promise<Server>((resolve) => {
    const server = createServer(respond).listen(0, '127.0.0.1', () => resolve(server))
  })
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeEach(async () => {
  followed = 0
  other = await listen((_, response) => {
    followed++
    response.end('{}')
  })
  redirecting = await listen((_, response) => response.writeHead(status, { Location: addressOf(other) }).end())
  baseUrl = `${addressOf(redirecting)}/api/v1`
})
afterEach(() => {
  other.close()
  redirecting.close()
})

const failed = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is not followed, and not retried', async (code) => {
    status = code
    const client = createMainClient({ baseUrl, apiKey: 'snh_live_x' })
    const body = { title: 'Segredo' }
    const params = { path: { publisherSlug: 'demo', channelSlug: 'a' } }
    const error = await failed(client.POST('/channels/{publisherSlug}/{channelSlug}/notifications', { params, body }))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ message: expect.stringMatching(/redirects are not followed.*base URL/) })
    expect(followed).toBe(0)
  })

  it('as browsers hide it is reported too', async () => {
    const hidden = { type: 'opaqueredirect', ok: false, status: 0, headers: new Headers(), body: null }
    const client = createMainClient({ baseUrl, fetch: async () => hidden as Response })
    expect(await failed(client.GET('/channels'))).toMatchObject({ message: expect.stringMatching(/redirects are not/) })
  })

  it('of a stream is not followed', async () => {
    status = 302
    const stop = new AbortController()
    const failures: unknown[] = []
    const onRetry = (error: unknown) => {
      failures.push(error)
      stop.abort()
    }
    for await (const _ of streamFeed({ baseUrl, signal: stop.signal, onRetry })) expect.unreachable()
    expect(failures).toMatchObject([{ message: expect.stringMatching(/redirects are not followed/) }])
    expect(followed).toBe(0)
  })
})

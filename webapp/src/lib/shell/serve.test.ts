import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serve } from './serve'

const origin = 'https://sininho.example'
const kept: Record<string, string> = {}
const fetched = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  for (const path of Object.keys(kept)) delete kept[path]
  vi.stubGlobal('fetch', fetched.mockReset().mockResolvedValue(new Response('fresh')))
  vi.stubGlobal('caches', {
    match: async (request: Request | string) => {
      const found = kept[typeof request === 'string' ? request : new URL(request.url).pathname]
      return found === undefined ? undefined : new Response(found)
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const ask = (path: string, over: Partial<Request> = {}) =>
  serve({ url: new URL(path, origin).href, method: 'GET', mode: 'navigate', ...over } as Request, origin)
const answer = async (...args: Parameters<typeof ask>) => (await ask(...args))?.text()

it.each([
  ['the API', '/api/v1/auth/google'],
  ['the documentation', '/docs'],
  ['the documentation', '/docs/api'],
  ['other origins', 'https://elsewhere.example/feed'],
])('leaves %s alone: %s', (_what, path) => {
  expect(ask(path)).toBeUndefined()
})

it('leaves alone what is not a page of the app', () => {
  expect(ask('/feed', { method: 'POST' })).toBeUndefined()
  expect(ask('/icon-192.png', { mode: 'no-cors' })).toBeUndefined()
})

it('takes scripts from what was kept, otherwise from the server', async () => {
  kept['/assets/a.js'] = 'kept'
  expect(await answer('/assets/a.js', { mode: 'cors' })).toBe('kept')
  expect(fetched).not.toHaveBeenCalled()
  expect(await answer('/assets/b.js', { mode: 'cors' })).toBe('fresh')
})

it('takes pages and settings from the server, otherwise from what was kept', async () => {
  kept['/'] = 'page'
  kept['/config.js'] = 'settings'
  expect(await answer('/channels/metro/linhas')).toBe('fresh')
  fetched.mockRejectedValue(new TypeError('no connection'))
  expect(await answer('/channels/metro/linhas')).toBe('page')
  expect(await answer('/config.js', { mode: 'no-cors' })).toBe('settings')
  fetched.mockResolvedValue(new Response('Bad Gateway', { status: 502 }))
  expect(await answer('/feed')).toBe('page')
  fetched.mockResolvedValue(new Response('Not Found', { status: 404 }))
  expect(await answer('/nada')).toBe('Not Found')
})

it('waits two seconds for the server, and without limit if nothing was kept', async () => {
  vi.useFakeTimers()
  let respond = (_response: Response) => {}
  fetched.mockReturnValue(new Promise((resolve) => (respond = resolve)))
  const first = answer('/feed')
  await vi.advanceTimersByTimeAsync(60_000)
  respond(new Response('late'))
  expect(await first).toBe('late')
  kept['/'] = 'page'
  fetched.mockReturnValue(new Promise(() => {}))
  const second = answer('/feed')
  await vi.advanceTimersByTimeAsync(2000)
  expect(await second).toBe('page')
})

it('reports a failure if nothing was kept', async () => {
  fetched.mockRejectedValue(new TypeError('no connection'))
  await expect(answer('/feed')).rejects.toThrow('no connection')
})

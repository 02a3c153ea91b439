import { beforeEach, describe, expect, it, vi } from 'vitest'

const background = vi.hoisted(() => ({ handler: undefined as ((payload: unknown) => unknown) | undefined }))
vi.mock('firebase/app', () => ({ initializeApp: () => ({}) }))
vi.mock('firebase/messaging/sw', () => ({
  getMessaging: () => ({}),
  onBackgroundMessage: (_messaging: unknown, handler: (payload: unknown) => unknown) => {
    background.handler = handler
  },
}))

const origin = 'http://localhost:8080'
const navigator = { userAgent: '' }
type Listener = (event: unknown) => void
let listeners: Record<string, Listener>
const showNotification = vi.fn()
const getNotifications = vi.fn<(filter: { tag: string }) => Promise<{ data: unknown; close: () => void }[]>>()
const openWindow = vi.fn()
const matchAll = vi.fn<() => Promise<unknown[]>>()
const posted = vi.fn<typeof fetch>()

/** Hands an event to the worker and waits for all that it began. */
async function dispatch(type: string, event: object) {
  const work: Promise<unknown>[] = []
  const stopImmediatePropagation = vi.fn()
  listeners[type]!({ ...event, stopImmediatePropagation, waitUntil: (promise: Promise<unknown>) => work.push(promise) })
  await Promise.all(work)
  return { stopped: stopImmediatePropagation.mock.calls.length > 0 }
}

const push = (data: string | null) =>
  dispatch('push', { data: data === null ? null : { json: () => JSON.parse(data) as unknown } })
const click = (data: unknown) => {
  const close = vi.fn()
  return dispatch('notificationclick', { notification: { data, close } })
}

beforeEach(async () => {
  listeners = {}
  navigator.userAgent = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  for (const mock of [showNotification, openWindow, matchAll, posted]) mock.mockReset()
  matchAll.mockResolvedValue([])
  getNotifications.mockReset().mockResolvedValue([])
  posted.mockResolvedValue(new Response(null, { status: 204 }))
  vi.stubGlobal('self', {
    SININHO_ENV: { API_BASE_URL: `${origin}/api/v1` },
    location: { origin },
    navigator,
    addEventListener: (type: string, listener: Listener) => (listeners[type] = listener),
    registration: { showNotification, getNotifications },
    clients: { matchAll, openWindow, claim: vi.fn() },
    skipWaiting: vi.fn(),
  })
  vi.stubGlobal('importScripts', vi.fn())
  vi.stubGlobal('fetch', posted)
  vi.resetModules()
  await import('./sw')
})

describe('a push', () => {
  it('with a notification is left to Firebase, and told as displayed', async () => {
    const { stopped } = await push(JSON.stringify({ notification: { title: 'Olá', tag: 'n1' }, data: { id: 'n1' } }))
    expect(stopped).toBe(false)
    expect(showNotification).not.toHaveBeenCalled()
    await background.handler!({ data: { id: 'n1' } })
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/n1/events`,
      expect.objectContaining({ method: 'POST', credentials: 'include', body: '{"type":"displayed"}' }),
    )
  })

  it.each([
    ['of data alone', '{"data":{"id":"n2","title":"Só dados","body":"Texto"}}', 'Só dados', 'n2'],
    ['that is no JSON', 'not json', 'Sininho', 'sininho'],
    ['that is empty', null, 'Sininho', 'sininho'],
  ])('%s is shown all the same', async (_what, data, title, tag) => {
    const { stopped } = await push(data)
    expect(stopped).toBe(true)
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      title,
      expect.objectContaining({ tag, icon: '/icon-192.png' }),
    )
  })
})

describe('a revision', () => {
  const revise = (data: object) => push(JSON.stringify({ data: { id: 'n1', revisedAt: '20', ...data } }))
  const corrected = { revision: 'corrected', title: 'Às 19h', body: 'Nova hora', image: `${origin}/i.png` }
  const shown = (revisedAt?: number) => {
    const close = vi.fn()
    getNotifications.mockImplementation(({ tag }) =>
      Promise.resolve(
        tag === 'n1'
          ? [{ data: revisedAt ? { id: 'n1', revisedAt } : { FCM_MSG: { data: { id: 'n1' } } }, close }]
          : [],
      ),
    )
    return close
  }

  it('replaces what is shown, without a sound', async () => {
    const close = shown()
    const { stopped } = await revise(corrected)
    expect(stopped).toBe(true)
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      'Às 19h',
      expect.objectContaining({
        body: 'Nova hora',
        image: `${origin}/i.png`,
        tag: 'n1',
        silent: true,
        data: { id: 'n1', revisedAt: 20 },
      }),
    )
    expect(close).not.toHaveBeenCalled()
    expect(posted).not.toHaveBeenCalled()
  })

  it('closes what is withdrawn', async () => {
    const close = shown()
    await revise({ revision: 'withdrawn' })
    expect(close).toHaveBeenCalledOnce()
    expect(showNotification).not.toHaveBeenCalled()
  })

  it.each([corrected, { revision: 'withdrawn' }])('does not bring back what was closed: $revision', async (data) => {
    await revise(data)
    expect(showNotification).not.toHaveBeenCalled()
  })

  it('that comes late does not undo a later one', async () => {
    const close = shown(30)
    await revise(corrected)
    await revise({ revision: 'withdrawn' })
    expect(showNotification).not.toHaveBeenCalled()
    expect(close).not.toHaveBeenCalled()
  })

  it('shows something for an instant where WebKit wants that', async () => {
    navigator.userAgent = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'
    const close = shown()
    await revise({ revision: 'withdrawn' })
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      'Sininho',
      expect.objectContaining({ tag: 'n1', silent: true }),
    )
    expect(close).toHaveBeenCalledOnce()
  })
})

describe('a click', () => {
  it('opens our own link, and marks as opened', async () => {
    const { stopped } = await click({ FCM_MSG: { data: { id: 'n1', link: `${origin}/demo` } } })
    expect(stopped).toBe(true)
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/demo`)
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/n1/events`,
      expect.objectContaining({ body: '{"type":"opened"}' }),
    )
  })

  it('opens the feed at the notification for a foreign link', async () => {
    await click({ FCM_MSG: { data: { id: 'n1', link: 'https://elsewhere.example/' } } })
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?notification=n1`)
  })

  it('takes a tab that is there', async () => {
    const tab = { url: `${origin}/channels`, focus: vi.fn(), navigate: vi.fn() }
    matchAll.mockResolvedValue([tab])
    await click({ id: 'n1' })
    expect(tab.focus).toHaveBeenCalled()
    expect(tab.navigate).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?notification=n1`)
    expect(openWindow).not.toHaveBeenCalled()
  })

  it('opens a new one when that tab cannot be taken', async () => {
    matchAll.mockResolvedValue([{ url: 'x', focus: () => Promise.reject(new Error('no')) }])
    await click({ id: 'n1' })
    expect(openWindow).toHaveBeenCalledOnce()
  })

  it('goes on although the server cannot be told', async () => {
    posted.mockRejectedValue(new TypeError('offline'))
    await click({ id: 'n1' })
    expect(openWindow).toHaveBeenCalledOnce()
  })
})

import { beforeEach, describe, expect, it, vi } from 'vitest'

const origin = 'http://localhost:8080'
const navigator: { userAgent: string; setAppBadge?: unknown; clearAppBadge?: unknown } = { userAgent: '' }
type Listener = (event: unknown) => void
let listeners: Record<string, Listener>
const showNotification = vi.fn()
type Shown = { tag: string; data: unknown; close: () => void }
const getNotifications = vi.fn<(filter?: { tag: string }) => Promise<Shown[]>>()
const openWindow = vi.fn()
const matchAll = vi.fn<() => Promise<unknown[]>>()
const posted = vi.fn<typeof fetch>()
const pushManager = { getSubscription: vi.fn(), subscribe: vi.fn() }

/** Dispatches an event to the worker and waits for everything it started. */
async function dispatch(type: string, event: object) {
  const work: Promise<unknown>[] = []
  listeners[type]!({ ...event, waitUntil: (promise: Promise<unknown>) => work.push(promise) })
  await Promise.all(work)
}

const push = (data: string | null) =>
  dispatch('push', { data: data === null ? null : { json: () => JSON.parse(data) as unknown } })
const click = (data: unknown, action = '') => {
  const close = vi.fn()
  return dispatch('notificationclick', { action, notification: { data, close } })
}

/** Shows system notifications of the feed, and returns the tags of those that are closed. */
function showing(...tags: string[]): string[] {
  const closed: string[] = []
  const shown = tags.map((tag) => ({ tag, data: { id: tag, channel: 'metro/linhas' }, close: () => closed.push(tag) }))
  getNotifications.mockImplementation((filter) =>
    Promise.resolve(shown.filter(({ tag }) => !filter || filter.tag === tag)),
  )
  return closed
}

type Item = { id: string; readAt?: string; archivedAt?: string }

/** Lets the server respond with these notifications of the feed, and 204 to all that changes something. */
function serveFeed(unread: number, listed: Item[], others: Item[] = []) {
  posted.mockImplementation((url, { method } = {}) => {
    if (method) return Promise.resolve(new Response(null, { status: 204 }))
    const path = new URL(String(url)).pathname
    if (path.endsWith('/notifications')) return Promise.resolve(Response.json({ data: listed, meta: { unread } }))
    const item = others.find(({ id }) => path.endsWith(`/${id}`))
    return Promise.resolve(item ? Response.json(item) : new Response(null, { status: 404 }))
  })
}
const requests = (method?: string) => posted.mock.calls.filter(([, init]) => init?.method === method)

const { setTimeout: later } = globalThis

beforeEach(async () => {
  listeners = {}
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds: number) => later(run, milliseconds / 100))
  navigator.setAppBadge = navigator.clearAppBadge = undefined
  navigator.userAgent = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  for (const mock of [showNotification, openWindow, matchAll, posted]) mock.mockReset()
  matchAll.mockResolvedValue([])
  getNotifications.mockReset().mockResolvedValue([])
  posted.mockResolvedValue(new Response(null, { status: 204 }))
  vi.stubGlobal('self', {
    SININHO_ENV: { API_BASE_URL: `${origin}/api/v1`, WEB_PUSH_PUBLIC_KEY: 'BAbc' },
    location: { origin },
    navigator,
    addEventListener: (type: string, listener: Listener) => (listeners[type] = listener),
    registration: { showNotification, getNotifications, pushManager },
    clients: { matchAll, openWindow, claim: vi.fn() },
    skipWaiting: vi.fn(),
  })
  vi.stubGlobal('importScripts', vi.fn())
  vi.stubGlobal('fetch', posted)
  vi.resetModules()
  await import('./sw')
})

describe('a subscription that the browser has ended', () => {
  const device = { installationId: 'i1', platform: 'web', name: 'Chrome no Linux', current: true, kind: 'webpush' }
  const devices = (...data: object[]) => posted.mockResolvedValueOnce(new Response(JSON.stringify({ data })))
  beforeEach(() => {
    pushManager.getSubscription.mockReset().mockResolvedValue(null)
    pushManager.subscribe.mockReset().mockResolvedValue({
      toJSON: () => ({ endpoint: 'https://push.example/2', keys: { p256dh: 'p', auth: 'a' } }),
    })
  })

  it('is replaced, and the server knows the new one', async () => {
    devices({ ...device, current: false }, device)
    await dispatch('pushsubscriptionchange', {})
    expect(pushManager.subscribe).toHaveBeenCalledExactlyOnceWith({
      userVisibleOnly: true,
      applicationServerKey: 'BAbc',
    })
    const body = posted.mock.calls[1]![1]!.body as string
    expect(JSON.parse(body)).toEqual({
      installationId: 'i1',
      platform: 'web',
      name: 'Chrome no Linux',
      kind: 'webpush',
      endpoint: 'https://push.example/2',
      keys: { p256dh: 'p', auth: 'a' },
    })
  })

  it.each([
    ['nobody is signed in', () => posted.mockResolvedValueOnce(new Response(null, { status: 401 }))],
    ['this session has no device', () => devices({ ...device, current: false })],
    ['Firebase takes its pushes', () => devices({ ...device, kind: 'fcm' })],
  ])('is left alone when %s', async (_what, arrange) => {
    arrange()
    await dispatch('pushsubscriptionchange', {})
    expect(pushManager.subscribe).not.toHaveBeenCalled()
    expect(posted).toHaveBeenCalledOnce()
  })
})

describe('a push', () => {
  const message = {
    notification: { title: 'Olá', body: 'Texto', image: `${origin}/i.png`, tag: 'n1' },
    data: { id: 'n1', channel: 'metro/linhas' },
  }
  const displayed = () =>
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/displayed`,
      expect.objectContaining({ method: 'POST', credentials: 'include', body: '{"notificationIds":["n1"]}' }),
    )
  const tab = (visibilityState: string, postMessage = vi.fn<(message: unknown, ports: MessagePort[]) => void>()) => ({
    visibilityState,
    postMessage,
  })
  const confirms = (_message: unknown, [port]: MessagePort[]) => port?.postMessage('shown')

  it('is shown by the system while no tab is visible, and reported as displayed', async () => {
    const hidden = tab('hidden')
    matchAll.mockResolvedValue([hidden])
    await push(JSON.stringify(message))
    expect(hidden.postMessage).not.toHaveBeenCalled()
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Olá', {
      body: 'Texto',
      image: `${origin}/i.png`,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      tag: 'n1',
      lang: 'pt-PT',
      dir: 'auto',
      data: { id: 'n1', channel: 'metro/linhas', revisedAt: 0 },
    })
    displayed()
  })

  it('stays and rings again when it is important, and says when it was published', async () => {
    const data = { ...message.data, importance: 'important', publishedAt: '1772366400000' }
    await push(JSON.stringify({ ...message, data }))
    const manner = { timestamp: 1772366400000, requireInteraction: true, renotify: true }
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Olá', expect.objectContaining(manner))
  })

  it('is passed to all tabs while one is visible, and reported as displayed once that tab has shown it', async () => {
    const [hidden, seen] = [tab('hidden'), tab('visible', vi.fn(confirms))]
    matchAll.mockResolvedValue([hidden, seen])
    await push(JSON.stringify(message))
    const handed = { push: expect.objectContaining({ title: 'Olá', body: 'Texto', data: expect.anything() }) }
    for (const { postMessage } of [hidden, seen])
      expect(postMessage).toHaveBeenCalledExactlyOnceWith(handed, expect.anything())
    expect(showNotification).not.toHaveBeenCalled()
    displayed()
  })

  it('is shown by the system if the visible tab does not confirm, such as while it loads', async () => {
    const seen = tab('visible')
    matchAll.mockResolvedValue([seen])
    await push(JSON.stringify(message))
    expect(seen.postMessage).toHaveBeenCalledOnce()
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Olá', expect.objectContaining({ tag: 'n1' }))
    displayed()
  })

  it.each([
    ['of data alone', '{"data":{"id":"n2","title":"Só dados","body":"Texto"}}', 'Só dados', 'n2'],
    ['that is no JSON', 'not json', 'Sininho', 'sininho'],
    ['that is empty', null, 'Sininho', 'sininho'],
  ])('%s is shown all the same', async (_what, data, title, tag) => {
    await push(data)
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      title,
      expect.objectContaining({ tag, icon: '/icon-192.png' }),
    )
  })

  it('is reported in one request with those that come soon after it', async () => {
    const pushOf = (id: string) => push(JSON.stringify({ ...message, data: { ...message.data, id } }))
    await Promise.all([pushOf('n1'), pushOf('n2'), pushOf('n1')])
    await pushOf('n3')
    expect(requests('POST').map(([, init]) => init!.body)).toEqual([
      '{"notificationIds":["n1","n2"]}',
      '{"notificationIds":["n3"]}',
    ])
  })

  it('is reported with 29 others at most', async () => {
    const ids = Array.from({ length: 31 }, (_, i) => `n${i}`)
    await Promise.all(ids.map((id) => push(JSON.stringify({ ...message, data: { ...message.data, id } }))))
    const reported = requests('POST').map(
      ([, init]) => JSON.parse(init!.body as string) as { notificationIds: string[] },
    )
    expect(reported.map(({ notificationIds }) => notificationIds.length)).toEqual([30, 1])
    expect(new Set(reported.flatMap(({ notificationIds }) => notificationIds)).size).toBe(31)
  })

  it('that is quiet is shown, and the server is told nothing', async () => {
    await push(JSON.stringify({ notification: { title: 'Sininho', tag: 'n1' }, data: { id: 'n1', quiet: 'true' } }))
    expect(showNotification).toHaveBeenCalledOnce()
    expect(posted).not.toHaveBeenCalled()
  })

  it('that is a digest rings in the place of that of the day before, is reported, and leads to what is unread', async () => {
    const data = { id: 'n1', again: 'true', link: '/feed?part=unread' }
    await push(JSON.stringify({ notification: { title: 'Resumo: 12 notificações', tag: 'n1' }, data }))
    const shown = { tag: 'n1', renotify: true }
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Resumo: 12 notificações', expect.objectContaining(shown))
    displayed()
    posted.mockClear()
    await click({ ...data })
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?part=unread`)
    expect(posted).not.toHaveBeenCalled()
  })

  it('that tests the device is reported as displayed too', async () => {
    await push(JSON.stringify({ notification: { title: 'Sininho', tag: 'n1' }, data: { id: 'n1' } }))
    expect(showNotification).toHaveBeenCalledOnce()
    displayed()
  })
})

describe('a revision', () => {
  const revise = (data: object) => push(JSON.stringify({ data: { id: 'n1', revisedAt: '20', ...data } }))
  const corrected = { revision: 'corrected', title: 'Às 19h', body: 'Nova hora', image: `${origin}/i.png` }
  const shown = (revisedAt = 0) => {
    const close = vi.fn()
    getNotifications.mockImplementation((filter) =>
      Promise.resolve(filter?.tag === 'n1' ? [{ tag: 'n1', data: { id: 'n1', revisedAt }, close }] : []),
    )
    return close
  }

  it('replaces the shown notification silently', async () => {
    const close = shown()
    await revise(corrected)
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

  it('closes a withdrawn notification', async () => {
    const close = shown()
    await revise({ revision: 'withdrawn' })
    expect(close).toHaveBeenCalledOnce()
    expect(showNotification).not.toHaveBeenCalled()
  })

  it.each([corrected, { revision: 'withdrawn' }])('does not reopen a closed notification: $revision', async (data) => {
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
  const data = { id: 'n1', channel: 'metro/linhas' }

  it('opens our own link, and marks as opened', async () => {
    await click({ ...data, link: `${origin}/channels/metro/linhas` })
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/channels/metro/linhas`)
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/n1/events`,
      expect.objectContaining({ body: '{"type":"opened"}' }),
    )
  })

  it.each([
    `${origin}/login/device?code=BCDF-GHJK`,
    `${origin}/api/v1/auth/google`,
    'http://LOCALHOST:8080/settings',
    '/login/device',
  ])('opens the feed at the notification instead of %s', async (link) => {
    await click({ ...data, link })
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?notification=n1`)
  })

  it('opens a link elsewhere in a tab of its own, and marks as opened', async () => {
    const tab = { url: `${origin}/channels`, focus: vi.fn(), navigate: vi.fn() }
    matchAll.mockResolvedValue([tab])
    await click({ ...data, link: 'https://elsewhere.example/' })
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('https://elsewhere.example/')
    expect(tab.navigate).not.toHaveBeenCalled()
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/n1/events`,
      expect.objectContaining({ body: '{"type":"opened"}' }),
    )
  })

  it('uses an existing tab', async () => {
    const tab = { url: `${origin}/channels`, focus: vi.fn(), navigate: vi.fn() }
    matchAll.mockResolvedValue([tab])
    await click(data)
    expect(tab.focus).toHaveBeenCalled()
    expect(tab.navigate).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?notification=n1`)
    expect(openWindow).not.toHaveBeenCalled()
  })

  it('opens a new one when that tab cannot be taken', async () => {
    matchAll.mockResolvedValue([{ url: 'x', focus: () => Promise.reject(new Error('no')) }])
    await click(data)
    expect(openWindow).toHaveBeenCalledOnce()
  })

  it('continues although the server cannot be notified', async () => {
    posted.mockRejectedValue(new TypeError('offline'))
    await click(data)
    expect(openWindow).toHaveBeenCalledOnce()
  })
})

describe('the buttons of a notification', () => {
  const data = { id: 'n1', channel: 'metro/linhas', channelId: 'c1' }
  const notification = { title: 'Olá', tag: 'n1' }
  const optionsOf = () => showNotification.mock.calls.map(([, options]) => (options as { actions?: unknown }).actions)
  const archive = { action: 'archive', title: 'Arquivar' }
  const mute = { action: 'mute', title: 'Silenciar 1 hora' }
  const browserWith = (maxActions?: number) => vi.stubGlobal('Notification', { maxActions })

  it.each([
    ['all', 2, [archive, mute]],
    ['as many as the browser has room for', 1, [archive]],
    ['none where it has no room', 0, undefined],
    ['none where it has none', undefined, undefined],
  ])('are %s', async (_what, room, expected) => {
    browserWith(room)
    await push(JSON.stringify({ notification, data }))
    expect(optionsOf()).toEqual([expected])
  })

  it.each([
    ['a test', { notification: { title: 'Sininho', tag: 't1' }, data: { id: 't1' } }],
    ['a summary', { notification: { title: 'Olá', tag: 'summary-n1' }, data: { id: 'n1', channel: 'metro/linhas' } }],
  ])('are none for %s', async (_what, message) => {
    browserWith(2)
    await push(JSON.stringify(message))
    expect(optionsOf()).toEqual([undefined])
  })

  it('stay when the notification is corrected', async () => {
    browserWith(2)
    showing('n1')
    await push(JSON.stringify({ data: { ...data, revision: 'corrected', title: 'Às 19h', revisedAt: '20' } }))
    expect(optionsOf()).toEqual([[archive, mute]])
  })

  it('archive, and tell the open tabs', async () => {
    const postMessage = vi.fn()
    matchAll.mockResolvedValue([{ postMessage }])
    await click(data, 'archive')
    expect(posted).toHaveBeenCalledExactlyOnceWith(
      `${origin}/api/v1/subscribers/notifications/n1`,
      expect.objectContaining({ method: 'PATCH', credentials: 'include', body: '{"archived":true}' }),
    )
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ acted: true }, [])
    expect(openWindow).not.toHaveBeenCalled()
  })

  it('mute the channel for an hour', async () => {
    const before = Date.now()
    await click(data, 'mute')
    expect(posted).toHaveBeenCalledOnce()
    const [url, init] = posted.mock.calls[0]!
    expect(url).toBe(`${origin}/api/v1/subscribers/channels/c1`)
    const { mutedUntil } = JSON.parse(init!.body as string) as { mutedUntil: string }
    const minutes = (Date.parse(mutedUntil) - before) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(60)
    expect(minutes).toBeLessThan(61)
    expect(openWindow).not.toHaveBeenCalled()
  })

  it.each([
    ['archive', 'the connection is lost', () => posted.mockRejectedValue(new TypeError('offline'))],
    ['mute', 'the connection is lost', () => posted.mockRejectedValue(new TypeError('offline'))],
    ['archive', 'the session has ended', () => posted.mockResolvedValue(new Response(null, { status: 401 }))],
    ['mute', 'the server fails', () => posted.mockResolvedValue(new Response(null, { status: 500 }))],
  ])('open the notification when %s fails because %s', async (action, _why, arrange) => {
    arrange()
    await click({ ...data, link: 'https://elsewhere.example/' }, action)
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/feed?notification=n1`)
  })
})

describe('what was done elsewhere', () => {
  const arrive = (id: string) =>
    push(JSON.stringify({ notification: { title: 'Olá', tag: id }, data: { id, channel: 'metro/linhas' } }))
  const [setAppBadge, clearAppBadge] = [vi.fn(), vi.fn()]
  beforeEach(() => {
    for (const mock of [setAppBadge, clearAppBadge]) mock.mockReset().mockResolvedValue(undefined)
  })
  const withBadge = () => Object.assign(navigator, { setAppBadge, clearAppBadge })

  it('is closed at the next push: what was read, and what was archived, which the feed no longer lists', async () => {
    const closed = showing('n1', 'n2', 'n3', 'n4', 'n5')
    serveFeed(
      2,
      [{ id: 'n5' }, { id: 'n2', readAt: '2026-01-02T03:04:05Z' }, { id: 'n1' }],
      [{ id: 'n3', archivedAt: '2026-01-02T03:04:05Z' }],
    )
    await arrive('n5')
    expect(closed).toEqual(['n2', 'n3'])
    const [url, init] = requests()[0]!
    expect(url).toBe(`${origin}/api/v1/subscribers/notifications?limit=15`)
    expect(init).toMatchObject({ credentials: 'include' })
  })

  it('is not asked for where nothing else is shown and there is no badge', async () => {
    showing('n1')
    serveFeed(1, [{ id: 'n1' }])
    await arrive('n1')
    expect(requests()).toEqual([])
  })

  it('changes the badge of the app with each push, button and click', async () => {
    withBadge()
    showing()
    serveFeed(3, [])
    await arrive('n1')
    expect(requests().map(([url]) => url)).toEqual([`${origin}/api/v1/subscribers/notifications?limit=1`])
    expect(setAppBadge).toHaveBeenLastCalledWith(3)
    serveFeed(2, [])
    await click({ id: 'n1', channel: 'metro/linhas', channelId: 'c1' }, 'archive')
    expect(setAppBadge).toHaveBeenLastCalledWith(2)
    serveFeed(0, [])
    await click({ id: 'n2', channel: 'metro/linhas' })
    expect(clearAppBadge).toHaveBeenCalledOnce()
  })

  it('leaves everything as it is when the server cannot tell', async () => {
    withBadge()
    const closed = showing('n1')
    posted.mockRejectedValue(new TypeError('offline'))
    await arrive('n2')
    expect(closed).toEqual([])
    expect(setAppBadge).not.toHaveBeenCalled()
    expect(clearAppBadge).not.toHaveBeenCalled()
  })
})

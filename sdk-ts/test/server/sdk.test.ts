import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import {
  type ApiError,
  type ChannelEvent,
  type ClientOptions,
  type FeedEvent,
  NetworkError,
  type PageQuery,
  Sininho,
  createMainClient,
  paginate,
  streamChannel,
  streamFeed,
  unwrap,
  uploadPicture,
} from '../../src/index.js'
import { line } from '../support/line.js'
import { accessToken } from '../support/person.js'
import { freePort } from '../support/port.js'

const { SININHO_URL: url = '', SININHO_API_KEY: apiKey = '' } = inject('sininho')
const baseUrl = `${url}/api/v1`

const publisher = (options: Partial<ClientOptions> = {}) => createMainClient({ baseUrl, apiKey, ...options })

/** Creates a channel for one test. */
async function newChannel() {
  const { data: categories } = await unwrap(publisher().GET('/categories'))
  const slug = `c-${randomUUID()}`
  const body = { publisherSlug: 'demo', slug, name: 'Ensaio', categoryId: categories[0]?.id ?? '' }
  return unwrap(publisher().POST('/channels', { body }))
}
const path = (slug: string) => ({ publisherSlug: 'demo', channelSlug: slug })

const publish = (slug: string, title: string, client = publisher()) =>
  unwrap(
    client.POST('/channels/{publisherSlug}/{channelSlug}/notifications', {
      params: { path: path(slug) },
      body: { title },
    }),
  )

async function titles(slug: string, limit = 100) {
  const list: string[] = []
  const page = (query: PageQuery) =>
    unwrap(
      publisher().GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params: { path: path(slug), query } }),
    )
  for await (const { title } of paginate(page, { limit })) list.push(title)
  return list
}

const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error as ApiError)

it('has services, which publish, correct, list, stream and withdraw', async () => {
  const { slug } = await newChannel()
  const channel = `demo/${slug}`
  const sininho = new Sininho({ url, apiKey })
  const events: string[] = []
  const leaving = new AbortController()
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const followed = (async () => {
    for await (const event of sininho.notifications.stream(channel, { signal: leaving.signal })) {
      events.push(event.type)
      if (event.type === 'open') open()
      if (event.type === 'withdrawn') leaving.abort()
    }
  })()
  await opened
  const { id } = await sininho.notifications.publish(channel, { title: 'Olá', externalId: 'a' })
  const batch = await sininho.notifications.publishBatch(channel, [{ title: 'Um' }, { title: 'Dois' }])
  expect(batch.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
  expect((await sininho.notifications.getByExternalId(channel, 'a'))?.id).toBe(id)
  expect(await sininho.notifications.getByExternalId(channel, 'b')).toBeUndefined()
  expect((await sininho.notifications.correct(channel, id, { title: 'Olá outra vez' })).title).toBe('Olá outra vez')
  const list = sininho.notifications.list(channel, { pageSize: 1 })
  expect(await list.total()).toBe(3)
  expect((await list.all()).map(({ title }) => title)).toEqual(['Dois', 'Um', 'Olá outra vez'])
  expect((await sininho.notifications.deliveries(channel, id)).targeted).toBe(0)
  expect((await sininho.channels.update(channel, { name: 'Outro' })).name).toBe('Outro')
  expect(await sininho.channels.list({ publisher: 'demo' }).total()).toBeGreaterThan(0)
  expect((await sininho.webhooks.list(channel).all()).length).toBe(0)
  const webhook = await sininho.webhooks.create(channel, { name: 'CI', signed: false })
  await sininho.webhooks.delete(channel, webhook.id)
  await sininho.notifications.withdraw(channel, id)
  await followed
  expect(events).toEqual(['open', 'notification', 'notification', 'notification', 'corrected', 'withdrawn'])
  await sininho.channels.delete(channel)
})

it('has services for a person, who follows and reads', async () => {
  const { slug } = await newChannel()
  const person = new Sininho({ url, apiKey: await accessToken(baseUrl, `${slug}@example.com`) })
  await person.subscriptions.follow(`demo/${slug}`)
  expect((await person.subscriptions.update(`demo/${slug}`, { bell: 'none' })).bell).toBe('none')
  const { id } = await publish(slug, 'Para ler')
  expect((await person.feed.list({ unread: true }).all()).map((n) => n.id)).toContain(id)
  expect((await person.feed.update(id, { read: true })).readAt).toBeDefined()
  expect((await person.feed.list({ unread: true }).all()).map((n) => n.id)).not.toContain(id)
  await person.subscriptions.unfollow(`demo/${slug}`)
  expect(await person.subscriptions.list().total()).toBe(0)
})

describe('calls', () => {
  it('publishes, and returns the notification', async () => {
    const { slug } = await newChannel()
    const notification = await publish(slug, 'Olá, água')
    expect(notification).toMatchObject({ title: 'Olá, água', channel: { slug, publisherSlug: 'demo' } })
    expect(await titles(slug)).toEqual(['Olá, água'])
  })

  it('uploads a picture, and says why a file is none', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAC0lEQVR4nGNggAAAAAgAAbdYc5UAAAAASUVORK5CYII='
    const picture = await uploadPicture(
      publisher(),
      'demo',
      new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }),
    )
    expect(picture).toMatchObject({ width: 3, height: 2 })
    const shown = await fetch(picture.url)
    expect(shown.headers.get('Content-Type')).toBe('image/png')
    const error = await failure(uploadPicture(publisher(), 'demo', new Blob(['nada'])))
    expect(error?.code).toBe('unreadable_picture')
  })

  it('publishes once, although responses are lost', async () => {
    const { slug } = await newChannel()
    const statuses: number[] = []
    const losing = publisher({
      fetch: async (request) => {
        const response = await fetch(request)
        statuses.push(response.status)
        if (statuses.length < 3) throw new TypeError('fetch failed')
        return response
      },
    })
    const { id } = await publish(slug, 'Uma vez', losing)
    expect(statuses).toEqual([201, 201, 201])
    const page = await unwrap(
      publisher().GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params: { path: path(slug) } }),
    )
    expect(page.data.map((notification) => notification.id)).toEqual([id])
  })

  it('returns the first response to a repeated call under the caller’s own key', async () => {
    const { slug } = await newChannel()
    const repeat = () =>
      publisher().POST('/channels/{publisherSlug}/{channelSlug}/notifications', {
        params: { path: path(slug), header: { 'Idempotency-Key': `deploy-${slug}` } },
        body: { title: 'Versão 1842' },
      })
    const [first, second] = [await repeat(), await repeat()]
    expect(second.data).toEqual(first.data)
    expect(first.response.headers.get('Idempotency-Replayed')).toBeNull()
    expect(second.response.headers.get('Idempotency-Replayed')).toBe('true')
  })

  it('reports every fault of an input, in the requested language', async () => {
    const client = publisher({ headers: { 'Accept-Language': 'pt' } })
    const error = await failure(publish('novidades', ' ', client))
    expect(error).toMatchObject({ name: 'ApiError', status: 422, code: 'invalid' })
    expect(error?.requestId).toBeTruthy()
    expect(error?.message).toMatch(/pedido/)
    expect(error?.errors).toMatchObject([{ pointer: '#/title', code: 'blank' }])
  })

  it('reports a wrong key, a missing resource and an unreachable server', async () => {
    expect(await failure(publish('novidades', 'x', publisher({ apiKey: 'snh_live_wrong' })))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    })
    expect(await failure(publish('nada', 'x'))).toMatchObject({ status: 404, code: 'not_found' })
    const nowhere = publisher({ baseUrl: `http://127.0.0.1:${await freePort()}/api/v1` })
    expect(await failure(publish('novidades', 'x', nowhere))).toBeInstanceOf(NetworkError)
    // this URL serves the web app's page
    expect(await failure(publisher({ baseUrl: url }).GET('/channels'))).toMatchObject({
      name: 'NetworkError',
      message: expect.stringContaining('base URL'),
    })
  })
})

describe('lists', () => {
  it('are read completely, page by page, by cursor', async () => {
    const { slug } = await newChannel()
    const published = []
    for (let n = 0; n < 7; n++) published.push((await publish(slug, `N ${n}`)).title)
    expect(await titles(slug, 3)).toEqual(published.toReversed())
  })

  it('are read completely, page by page, by offset', async () => {
    const made = [await newChannel(), await newChannel(), await newChannel()].map(({ slug }) => slug)
    const slugs: string[] = []
    const page = (query: PageQuery) =>
      unwrap(publisher().GET('/channels', { params: { query: { ...query, publisher: 'demo' } } }))
    for await (const { slug } of paginate(page, { limit: 2 })) slugs.push(slug)
    expect(slugs).toEqual(expect.arrayContaining(made))
  })
})

/** Reads a stream until the given number of events other than `open` have arrived. */
async function next<T extends { type: string }>(events: AsyncIterator<T>, count: number) {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) throw new Error('the stream ended')
    if (value.type !== 'open') taken.push(value)
  }
  return taken
}
const titleOf = (event: ChannelEvent | FeedEvent) => ('notification' in event ? event.notification.title : event.type)

describe('a channel', () => {
  it('shows the number of its followers by day', async () => {
    const channel = await newChannel()
    const followers = () =>
      unwrap(
        publisher({ apiKey: undefined }).GET('/channels/{publisherSlug}/{channelSlug}/followers', {
          params: { path: path(channel.slug), query: { days: 1 } },
        }),
      )
    const { data } = await followers()
    expect(data).toEqual([{ day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string, followers: 0 }])
    const person = createMainClient({ baseUrl, apiKey: await accessToken(baseUrl, `${channel.slug}@example.com`) })
    await unwrap(person.POST('/subscribers/channels/{id}/subscribe', { params: { path: { id: channel.id } } }))
    expect((await followers()).data).toMatchObject([{ followers: 1 }])
  })
})

describe('streams', () => {
  it('report the changes in a channel, and continue where they were cut off', async () => {
    const { slug } = await newChannel()
    const wire = await line(url)
    const failures: string[] = []
    const onRetry = (error: Error) => failures.push(error.name)
    const options = { baseUrl: `${wire.url}/api/v1`, reconnectDelay: 10, onRetry }
    const giveUp = new AbortController()
    const events = streamChannel('demo', slug, { ...options, signal: giveUp.signal })
    expect(await events.next()).toMatchObject({ value: { type: 'open', again: false } })
    const { id } = await publish(slug, 'Um')
    const [first] = await next(events, 1)
    expect(first).toMatchObject({ type: 'notification', notification: { id, title: 'Um' } })

    wire.cut()
    await publish(slug, 'Dois')
    const item = { params: { path: { ...path(slug), id } } }
    const one = '/channels/{publisherSlug}/{channelSlug}/notifications/{id}'
    await publisher().PATCH(one, { ...item, body: { title: 'Um, corrigido' } })
    const missed = next(events, 2)
    await expect.poll(() => failures.length, { timeout: 60_000 }).toBeGreaterThan(1)
    wire.mend()
    // the order is unspecified: the events concern two notifications
    const received = (await missed).map((event) => `${event.type}: ${titleOf(event)}`)
    expect(received.toSorted()).toEqual(['corrected: Um, corrigido', 'notification: Dois'])
    expect(new Set(failures)).toEqual(new Set(['NetworkError']))

    await publisher().DELETE(one, item)
    expect(await next(events, 1)).toMatchObject([{ type: 'withdrawn', notificationId: id }])

    // the position can be passed on to another program
    const later = streamChannel('demo', slug, { baseUrl, lastEventId: first?.id })
    expect(titleOf((await next(later, 1))[0]!)).toBe('Dois')

    await later.return()

    const rest = events.next()
    giveUp.abort()
    expect(await rest).toEqual({ done: true, value: undefined })
    wire.close()
  })

  it('end when there is no such channel', async () => {
    await expect(streamChannel('demo', 'nada', { baseUrl }).next()).rejects.toMatchObject({ status: 404 })
    await expect(streamFeed({ baseUrl }).next()).rejects.toMatchObject({ status: 401 })
  })

  it('report the followed channels, and reading on another device', async () => {
    const channel = await newChannel()
    const person = { baseUrl, apiKey: await accessToken(baseUrl, `${channel.slug}@example.com`) }
    const client = createMainClient(person)
    await unwrap(client.POST('/subscribers/channels/{id}/subscribe', { params: { path: { id: channel.id } } }))
    const events = streamFeed(person)
    await events.next()
    const { id } = await publish(channel.slug, 'Para si')
    expect(titleOf((await next(events, 1))[0]!)).toBe('Para si')
    await client.PATCH('/subscribers/notifications/{id}', { params: { path: { id } }, body: { read: true } })
    expect(await next(events, 1)).toMatchObject([{ type: 'read', notificationId: id }])
    const feed = await unwrap(client.GET('/subscribers/notifications'))
    expect(feed.data).toMatchObject([{ id, title: 'Para si' }])
    await events.return()
  })
})

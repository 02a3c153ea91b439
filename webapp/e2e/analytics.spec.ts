import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, type Page, type Route, chromium } from '@playwright/test'
import { PostHog, type SentEvent, libraryFile } from './support/posthog.ts'
import type { Sininho } from './support/sininho.ts'
import { expect, follow, test } from './support/test.ts'

/** All that may ever be sent of an event, beside what every event has. */
const catalogue: Record<string, string[]> = {
  screen_viewed: ['route'],
  channel_followed: ['channelId'],
  channel_unfollowed: ['channelId'],
  push_enabled: [],
  push_failed: ['reason'],
  demo_sent: [],
  notification_accepted: ['accepted', 'channelId', 'failed', 'notificationId'],
  notification_opened: ['notificationId'],
}
const always = ['$geoip_disable', '$ip', '$lib', '$lib_version', '$process_person_profile']
const byBrowser = ['distinct_id', 'token']
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Sends through the demonstration, follows, unfollows, searches and reads; answers what was published in between. */
async function travel(page: Page, sininho: Sininho, signIn: (page: Page) => Promise<void>) {
  await page.goto('/?ref=abcd1234&utm_source=boletim')
  await page.getByRole('link', { name: 'Ver demonstração' }).click()
  await page.getByRole('textbox', { name: 'Título' }).fill('Título escrito por mim')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Tudo certo!' })).toBeVisible()
  await signIn(page)
  await follow(page)
  for (const [button, path] of [[/^Deixar de seguir/, '/unsubscribe'] as const, [/^Seguir/, '/subscribe'] as const]) {
    const done = page.waitForResponse((response) => response.url().endsWith(path))
    await page.getByRole('button', { name: button }).click()
    await done
  }
  await page.getByRole('link', { name: 'Canais', exact: true }).first().click()
  await page.getByRole('searchbox').fill('palavras que procuro')
  await expect(page).toHaveURL(/q=palavras/)
  const title = `Título publicado ${Date.now()}`
  const published = await sininho.publish(title, { body: 'Texto publicado' })
  await page.goto(`/feed?notification=${published}`)
  await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible()
  return published
}

const idle = (page: Page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))

test('a whole journey sends what is in the catalogue, by ids, and nothing of the person', async ({
  page,
  sininho,
  signIn,
}) => {
  const posthog = await PostHog.at(sininho.posthogUrl)
  const library = page.waitForRequest(libraryFile)
  const published = await travel(page, sininho, signIn)
  await library
  const { subscriber } = (await (await page.request.get('/api/v1/auth')).json()) as {
    subscriber: { id: string; email: string; name: string }
  }
  const kept = await page.evaluate(() => [document.cookie, ...Object.keys({ ...localStorage, ...sessionStorage })])
  expect(kept.filter((name) => /^ph_|posthog/i.test(name))).toEqual([])

  await page.goto('about:blank') // which sends what waits
  const pushes = ['push_enabled', 'push_failed']
  const wanted = Object.keys(catalogue).filter((name) => !pushes.includes(name))
  await expect.poll(() => names(posthog)).toEqual(wanted.toSorted())
  await expect.poll(() => posthog.told('notification_accepted', published)).toBe(1)
  await expect.poll(() => posthog.told('notification_opened', published)).toBe(1)
  await expectNothingPersonal(posthog, sininho, [subscriber.id, subscriber.email, subscriber.name])
})

test('that pushes were turned on, or could not be, is sent without the address', async ({
  profile,
  sininho,
  signIn,
}) => {
  const posthog = await PostHog.at(sininho.posthogUrl)
  const page = await profile.newPage()
  await signIn(page, { to: '/settings' })
  const [registrations, cut] = ['https://fcmregistrations.googleapis.com/**', (route: Route) => route.abort()] as const
  await profile.route(registrations, cut)
  const enable = page.getByRole('button', { name: 'Ativar notificações' })
  await enable.click()
  await expect.poll(() => names(posthog)).toContain('push_failed')
  await profile.unroute(registrations, cut)
  await enable.click()
  await expect(page.getByText('Este dispositivo recebe notificações.').first()).toBeVisible()
  await page.goto('about:blank')
  await expect.poll(() => names(posthog)).toContain('push_enabled')
  await expectNothingPersonal(posthog, sininho, ['fcm', 'installation'])
})

const names = async (posthog: PostHog) => [...new Set((await posthog.events()).map(({ event }) => event))].toSorted()

/** Holds all that was sent, wherever it was sent, against the catalogue and against words that it must not hold. */
async function expectNothingPersonal(posthog: PostHog, sininho: Sininho, personal: string[]) {
  const sent = await posthog.sent()
  for (const { method, url, header, events = [] } of sent) {
    expect(`${method} ${url.replace(/\?.*/, '')}`).toMatch(/^POST \/(e|batch)\/$/)
    expect(Object.keys(header)).not.toContain('Cookie')
    expect(Object.keys(header)).not.toContain('Authorization')
    expect(header.Referer ?? [`${sininho.url}/`]).toEqual([`${sininho.url}/`])
    expect(events.length).toBeGreaterThan(0)
    events.forEach(expectOfCatalogue)
  }
  const text = sent.map(({ url, body }) => `${url} ${body}`).join('\n')
  const ofPlaces = [new URL(sininho.url).host, '/demo/novidades', 'abcd1234', 'boletim', 'Lisbon', 'pt-PT']
  const ofTexts = ['palavras', 'procuro', 'publicado', 'escrito por mim', 'Mozilla', 'Linux', 'sna_', 'swt_']
  for (const word of [...personal, ...ofPlaces, ...ofTexts]) expect(text).not.toContain(word)
}

function expectOfCatalogue({ by, event, properties, sent }: SentEvent) {
  const envelope = by === 'web' ? [...always, ...byBrowser] : always
  expect(Object.keys(properties).toSorted(), event).toEqual([...envelope, ...catalogue[event]!].toSorted())
  expect(properties).toMatchObject({ $geoip_disable: true, $ip: null, $process_person_profile: false })
  expect(properties.distinct_id ?? sent.distinct_id).toMatch(id)
  for (const name of ['channelId', 'notificationId']) if (name in properties) expect(properties[name]).toMatch(id)
  if (by !== 'web') return
  expect(Object.keys(sent).toSorted()).toEqual(['event', 'properties', 'timestamp', 'uuid'])
  if ('route' in properties) expect(properties.route).toMatch(/^\/[a-zA-Z/$_-]*$/)
  if ('reason' in properties)
    expect(properties.reason).toMatch(/^(denied|dismissed|unsupported|install|unreachable|other)$/)
}

/** Chromium itself asks not to be tracked, in pages, in workers and by its headers. */
async function withDoNotTrack(folder: string) {
  await mkdir(join(folder, 'Default'), { recursive: true })
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ enable_do_not_track: true }))
}

/** Chromium has no such setting: what browsers do that have one. */
async function withGlobalPrivacyControl(context: BrowserContext) {
  await context.setExtraHTTPHeaders({ 'Sec-GPC': '1' })
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  )
}

for (const refusal of ['Do Not Track', 'Global Privacy Control']) {
  test(`under ${refusal} nothing is loaded and nothing sent, by the browser or of it`, async ({
    sininho,
    signIn,
    browser,
    launchOptions,
    locale,
    timezoneId,
  }, info) => {
    const folder = info.outputPath('profile')
    if (refusal === 'Do Not Track') await withDoNotTrack(folder)
    const context = await chromium.launchPersistentContext(folder, {
      ...launchOptions,
      baseURL: sininho.url,
      locale,
      timezoneId,
    })
    if (refusal !== 'Do Not Track') await withGlobalPrivacyControl(context)
    const asked: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const posthog = await PostHog.at(sininho.posthogUrl)
    const page = await context.newPage()
    const published = await travel(page, sininho, signIn)
    await idle(page)
    await page.goto('about:blank')
    await context.close()

    expect(asked.filter((url) => libraryFile.test(url) || url.startsWith(sininho.posthogUrl))).toEqual([])

    // another person opens the same, without a page: what the server tells of that comes after all that it could tell of
    // the first
    const other = await browser.newContext({ baseURL: sininho.url })
    await other.request.get(`/api/v1/auth/google?login_hint=outra-${info.testId}-${info.retry}@example.com`)
    const channel = (await (await other.request.get('/api/v1/channels/demo/novidades')).json()) as { id: string }
    expect((await other.request.post(`/api/v1/subscribers/channels/${channel.id}/subscribe`)).status()).toBe(200)
    const opened = { data: { type: 'opened' } }
    expect((await other.request.post(`/api/v1/subscribers/notifications/${published}/events`, opened)).status()).toBe(
      204,
    )
    await other.close()
    await expect.poll(() => posthog.told('notification_opened', published)).toBe(1)
    const names = new Set((await posthog.events()).map(({ by, event }) => `${by} ${event}`))
    expect([...names].toSorted()).toEqual(['posthog-go notification_accepted', 'posthog-go notification_opened'])
  })
}

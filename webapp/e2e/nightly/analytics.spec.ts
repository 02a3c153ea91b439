import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, type Page, type Route, chromium } from '@playwright/test'
import * as browsers from '../support/browsers.ts'
import { PostHog, type SentEvent, libraryFile } from '../support/posthog.ts'
import type { Sininho } from '../support/sininho.ts'
import { expect, openFollowed, test, turnPushOn } from '../support/test.ts'

/** The properties that each event may have, besides those of every event. */
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

/** Sends a demo message, follows, unfollows, searches and reads. Returns the id of what it published. */
async function travel(page: Page, sininho: Sininho, signIn: (page: Page) => Promise<void>) {
  await page.goto('/?ref=abcd1234&utm_source=boletim')
  await page.getByRole('link', { name: 'Ver demonstração' }).click()
  await page.getByRole('textbox', { name: 'Título' }).fill('Título escrito por mim')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Tudo certo!' })).toBeVisible()
  await signIn(page)
  await openFollowed(page)
  for (const [button, path] of [[/^A seguir/, '/unsubscribe'] as const, [/^Seguir/, '/subscribe'] as const]) {
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

test('a whole journey sends only events of the catalogue, by ids, and nothing personal', async ({
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

  // without leaving the page: the browser grants a page that is left half a second, too little for a busy machine
  const pushes = ['push_enabled', 'push_failed']
  const wanted = Object.keys(catalogue).filter((name) => !pushes.includes(name))
  await expect.poll(() => names(posthog)).toEqual(wanted.toSorted())
  await expect.poll(() => posthog.count('notification_accepted', published)).toBe(1)
  await expect.poll(() => posthog.count('notification_opened', published)).toBe(1)
  await expectNothingPersonal(posthog, sininho, [subscriber.id, subscriber.email, subscriber.name])
})

test('turning on pushes, or failing to, is reported without the push address', async ({ profile, sininho, signIn }) => {
  const posthog = await PostHog.at(sininho.posthogUrl)
  const page = await profile.newPage()
  await signIn(page, { to: '/settings/notifications' })
  const devices = '**/api/v1/subscribers/devices'
  const cut = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.continue())
  await profile.route(devices, cut)
  await page.getByRole('button', { name: 'Ativar notificações' }).click()
  await expect.poll(() => names(posthog)).toContain('push_failed')
  await profile.unroute(devices, cut)
  await turnPushOn(page) // and stay, as above: the toast may be shown before the app knows that pushes are on
  await expect.poll(() => names(posthog)).toContain('push_enabled')
  await expectNothingPersonal(posthog, sininho, ['fcm', 'jmt17', 'endpoint', 'installation'])
})

const names = async (posthog: PostHog) => [...new Set((await posthog.events()).map(({ event }) => event))].toSorted()

/** Checks every request by the catalogue, and for words that none may contain. */
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

/** Turns on Do Not Track in Chromium, for pages, workers and headers. */
async function withDoNotTrack(folder: string) {
  await mkdir(join(folder, 'Default'), { recursive: true })
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ enable_do_not_track: true }))
}

/** Does what browsers with this setting do, because Chromium has none. */
async function withGlobalPrivacyControl(context: BrowserContext) {
  await context.setExtraHTTPHeaders({ 'Sec-GPC': '1' })
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  )
}

for (const refusal of ['Do Not Track', 'Global Privacy Control']) {
  test(`under ${refusal} nothing is loaded or sent, by the browser or by the server`, async ({
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
      executablePath: browsers.chromium, // whose settings have Do Not Track
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

    // another person opens the same notification by the API: the server reports it after anything it could report about
    // the first person
    const other = await browser.newContext({ baseURL: sininho.url })
    await other.request.get(`/api/v1/auth/google?login_hint=outra-${info.testId}-${info.retry}@example.com`)
    const channel = (await (await other.request.get('/api/v1/channels/demo/novidades')).json()) as { id: string }
    expect((await other.request.post(`/api/v1/subscribers/channels/${channel.id}/subscribe`)).status()).toBe(200)
    const opened = { data: { type: 'opened' } }
    expect((await other.request.post(`/api/v1/subscribers/notifications/${published}/events`, opened)).status()).toBe(
      204,
    )
    await other.close()
    await expect.poll(() => posthog.count('notification_opened', published)).toBe(1)
    const names = new Set((await posthog.events()).map(({ by, event }) => `${by} ${event}`))
    expect([...names].toSorted()).toEqual(['posthog-go notification_accepted', 'posthog-go notification_opened'])
  })
}

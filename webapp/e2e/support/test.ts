import { type BrowserContext, type Page, test as base, chromium, expect } from '@playwright/test'
import * as browsers from './browsers.ts'
import { routeFirebase } from './firebase.ts'
import { Sininho } from './sininho.ts'
import { type Translation, translate } from './translator.ts'

export type Fixtures = {
  /**
   * Signs the page in as a new person or, with `operator`, as the operator. They have completed the onboarding unless
   * `onboarded` is false. Loads the screen `to`, if any.
   */
  signIn: (page: Page, options?: { onboarded?: boolean; operator?: boolean; to?: string }) => Promise<void>
  /** A real profile: in incognito windows pushes do not arrive and notification clicks open nothing. */
  profile: BrowserContext
  /** How the browser translates pages, if it does. */
  translated: Translation | undefined
  /** Collects violated policies and uncaught errors of every page. They fail the test. */
  watched: string[]
}

/** The operator of the development server. */
const operatorEmail = 'operador@example.com'

type WorkerFixtures = {
  /** Settings of the server that differ from those of `dev`. */
  settings: Record<string, string>
  sininho: Sininho
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  sininho: [
    async ({ settings }, use) => {
      const sininho = await Sininho.start(settings)
      await use(sininho)
      await sininho.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ sininho }, use) => use(sininho.url),
  watched: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from it
    async ({}, use) => {
      const faults: string[] = []
      await use(faults)
      expect(faults, 'violated policies and uncaught errors').toEqual([])
    },
    { auto: true },
  ],
  translated: [undefined, { option: true }],
  context: async ({ context, watched, translated }, use) => {
    await watch(context, watched)
    await context.addInitScript(undecided)
    if (translated) await translate(context, translated)
    await use(context)
    // a request that is just being answered for the server must not fail a test that is over
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  signIn: ({ sininho }, use) => {
    const person = sininho.person()
    return use(async (page, { onboarded = true, operator = false, to } = {}) => {
      const email = operator ? operatorEmail : person.email
      const start = `${sininho.url}/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`
      if (onboarded) {
        await page.request.get(start)
        await page.request.put(`${sininho.url}/api/v1/subscribers/onboarding`, { data: { step: 'done' } })
        // they have said "not now" where the feed says that this device does not ring
        await page.addInitScript(() => origin !== 'null' && localStorage.setItem('sininho.silent', 'hidden'))
        if (!to) return
        await page.goto(to)
      } else {
        await page.goto(`${start}&redirect=${encodeURIComponent(to ?? '/feed')}`)
      }
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
  },
  profile: async ({ sininho, watched, launchOptions, locale, timezoneId }, use, info) => {
    const context = await chromium.launchPersistentContext(info.outputPath('profile'), {
      ...launchOptions,
      executablePath: browsers.chromium,
      args: [...(launchOptions.args ?? []), ...sininho.pushFlags],
      baseURL: sininho.url,
      locale,
      timezoneId,
    })
    await started(context)
    await watch(context, watched)
    // the service worker is fetched in the browser's own language, not in that of the pages
    await context.addCookies([{ name: 'sininho_language', value: locale ?? 'pt-PT', url: sininho.url }])
    await context.grantPermissions(['notifications'], { origin: sininho.url })
    await routeFirebase(context, sininho.fcmUrl)
    await use(context)
    await context.close()
  },
})

/**
 * Waits until Chromium considers itself started. Until a visible tab has been idle it runs no background tasks, which a
 * push subscription needs. On a busy machine a test's pages would not be idle for minutes, so an empty tab comes first.
 */
async function started(profile: BrowserContext) {
  const cdp = await profile.newCDPSession(profile.pages()[0]!)
  const name = 'Startup.AfterStartupTaskDelayedUntilTime' // recorded at that moment
  await expect.poll(() => cdp.send('Browser.getHistogram', { name }).catch(() => undefined)).toBeDefined()
  await cdp.detach()
}

/** Makes the headless shell, which refuses to show notifications, seem to be undecided, as a whole browser is. */
function undecided() {
  if (Notification.permission === 'denied') Object.defineProperty(Notification, 'permission', { value: 'default' })
}

async function watch(context: BrowserContext, faults: string[]) {
  // only the page itself is notified of a blocked eval
  await context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      console.error('Content-Security-Policy', effectiveDirective, blockedURI, sample),
    ),
  )
  context.on('console', (message) => {
    if (/Content[ -]Security[ -]Policy/i.test(message.text())) faults.push(message.text())
  })
  // what the browser itself rejects has no stack
  context.on('weberror', (thrown) => faults.push(thrown.error().stack || String(thrown.error())))
}

/** Signs the page's person in in another browser, and returns its context. */
export async function signInElsewhere(page: Page, userAgent: string): Promise<BrowserContext> {
  const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
  const other = await page
    .context()
    .browser()!
    .newContext({ userAgent, baseURL: new URL(page.url()).origin })
  await other.request.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`)
  return other
}

/** Makes the page's person follow a channel, without loading a screen. */
export async function follow(page: Page, channel = 'demo/novidades') {
  const { id } = (await (await page.request.get(`/api/v1/channels/${channel}`)).json()) as { id: string }
  const response = await page.request.post(`/api/v1/subscribers/channels/${id}/subscribe`)
  expect(response.status(), `status of following ${channel}`).toBe(200)
}

/** Follows a channel and opens its page. */
export async function openFollowed(page: Page, channel = 'demo/novidades') {
  await follow(page, channel)
  await page.goto(`/channels/${channel}`)
  await expect(page.getByRole('button', { name: /^A seguir/ })).toBeVisible()
}

/** Waits for the code of toasts, which is loaded after the screen. Without it, no toast can appear offline. */
export async function toastsLoaded(page: Page) {
  await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
}

/** Waits until the service worker controls the page. Without a connection it could not be installed. */
export async function workerReady(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller)
}

/** Waits until code that is loaded ahead can run, and all styles are there. */
export async function codeLoaded(page: Page, chunk: RegExp) {
  const url = () =>
    page.evaluate(
      (source) =>
        performance.getEntriesByType('resource').find(({ name }) => new RegExp(source).test(name))?.name ?? '',
      chunk.source,
    )
  await expect.poll(url).not.toBe('')
  await page.evaluate((file) => import(file), await url())
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
  )
}

/** Turns on pushes in this browser, on a screen that offers it. */
export async function allowPush(page: Page, path = '/settings/notifications') {
  await page.goto(path)
  await turnPushOn(page)
}

/** Opens a page whose person follows a channel and receives its pushes here. */
export async function openReceiving(profile: BrowserContext, signIn: Fixtures['signIn']): Promise<Page> {
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page)
  return page
}

/** The toast of the first push to this browser. */
export const welcome = (page: Page) => page.getByRole('status').filter({ hasText: 'Pronto: este dispositivo toca' })

/**
 * Clicks the button that turns on pushes until they are on, and waits for the push that shows it. On a busy machine the browser may need longer than the app
 * waits; it keeps on subscribing, so that the next click succeeds.
 */
export async function turnPushOn(page: Page) {
  const on = page.getByText('Este dispositivo recebe notificações.').first()
  const failed = page.getByText(/Não foi possível chegar ao serviço de notificações do navegador/)
  await expect(async () => {
    await page.getByRole('button', { name: 'Ativar notificações' }).click()
    await expect(on.or(failed).first()).toBeVisible()
    expect(await on.isVisible(), 'pushes are on').toBe(true)
  }).toPass()
  await expect(welcome(page)).toHaveCount(1)
}

/** Ends the subscription of a browser and tells the worker, as push services do now and then. Waits for the worker. */
export async function endSubscription(profile: BrowserContext) {
  await profile.serviceWorkers()[0]!.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const subscription = await registration.pushManager.getSubscription()
    await subscription!.unsubscribe()
    await new Promise((resolve) => {
      // a browser lets nobody make an event that it waits for itself
      dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { waitUntil: resolve }))
    })
  })
}

/** The title and body of each system notification that a browser shows. The desktop shows those of all tests. */
export const shownBy = (profile: BrowserContext) =>
  profile.serviceWorkers()[0]!.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`)
  })

/** What a browser shows of the first push to it while the app is closed. */
export const welcomeBehind = 'Pronto: este dispositivo toca: As notificações chegam a este dispositivo.'

/** Opens a screen and waits until its own stream is open, not the stream of the previous screen. */
export async function gotoLive(page: Page, path: string) {
  await page.goto('about:blank')
  const stream = page.waitForResponse((response) => response.url().endsWith('/subscribers/notifications/stream'))
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await stream
}

export { expect }

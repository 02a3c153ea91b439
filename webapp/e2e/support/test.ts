import { type BrowserContext, type Page, test as base, chromium, expect } from '@playwright/test'
import { routeFirebase } from './firebase.ts'
import { Sininho } from './sininho.ts'

type Fixtures = {
  /** Signs the page in as a person of its own, who has been through the onboarding. */
  signIn: (page: Page, options?: { onboarded?: boolean; to?: string }) => Promise<void>
  /** A real profile, not an incognito one: only there do notification clicks open windows and pushes arrive. */
  profile: BrowserContext
  /** Watches every page: a violated policy or an uncaught error stands here, and fails the test. */
  watched: string[]
}

export const test = base.extend<Fixtures, { sininho: Sininho }>({
  sininho: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from it
    async ({}, use) => {
      const sininho = await Sininho.start()
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
  context: async ({ context, watched }, use) => {
    await watch(context, watched)
    await use(context)
  },
  signIn: ({ sininho }, use, info) =>
    use(async (page, { onboarded = true, to = '/feed' } = {}) => {
      const email = `${info.testId}-${info.repeatEachIndex}-${info.retry}@example.com`
      const start = `${sininho.url}/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`
      if (onboarded) {
        await page.request.get(start)
        await page.request.put(`${sininho.url}/api/v1/subscribers/onboarding`, { data: { step: 'done' } })
        await page.goto(to)
      } else {
        await page.goto(`${start}&redirect=${encodeURIComponent(to)}`)
      }
      await page.getByRole('heading', { level: 1 }).waitFor()
    }),
  profile: async ({ sininho, watched, launchOptions, locale, timezoneId }, use, info) => {
    const context = await chromium.launchPersistentContext(info.outputPath('profile'), {
      ...launchOptions,
      args: [...(launchOptions.args ?? []), ...sininho.pushFlags],
      baseURL: sininho.url,
      locale,
      timezoneId,
    })
    await started(context)
    await watch(context, watched)
    await context.grantPermissions(['notifications'], { origin: sininho.url })
    await routeFirebase(context, sininho.fcmUrl)
    await use(context)
    await context.close()
  },
})

/**
 * Waits until Chromium considers itself started. Until a visible tab has been idle it runs no background task, and a push
 * subscription needs one; on a busy machine the pages of a test would not be idle for minutes, so an empty tab comes first.
 */
async function started(profile: BrowserContext) {
  const cdp = await profile.newCDPSession(profile.pages()[0]!)
  const name = 'Startup.AfterStartupTaskDelayedUntilTime' // recorded at that moment
  await expect.poll(() => cdp.send('Browser.getHistogram', { name }).catch(() => undefined)).toBeDefined()
  await cdp.detach()
}

async function watch(context: BrowserContext, faults: string[]) {
  // a refused eval is told to the page alone
  await context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      console.error('Content-Security-Policy', effectiveDirective, blockedURI, sample),
    ),
  )
  context.on('console', (message) => {
    if (/Content[ -]Security[ -]Policy/i.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(String(error.error().stack)))
}

/** Follows a channel by its page. */
export async function follow(page: Page, channel = 'demo/novidades') {
  await page.goto(`/channels/${channel}`)
  await page.getByRole('button', { name: /^Seguir/ }).click()
  await expect(page.getByRole('button', { name: /^Deixar de seguir/ })).toBeVisible()
  // shown before the server has answered: the feed's list tells when it has
  await expect
    .poll(async () => {
      const answer = await page.request.get('/api/v1/subscribers/channels?limit=100')
      return ((await answer.json()) as { meta: { total: number } }).meta.total
    })
    .toBeGreaterThan(0)
}

/** Lets this browser get pushes, on a screen that asks for it. */
export async function allowPush(page: Page, path = '/settings') {
  await page.goto(path)
  await page.getByRole('button', { name: 'Ativar notificações' }).click()
  await expect(page.getByText('Este dispositivo recebe notificações.').first()).toBeVisible()
}

/** Opens a screen and waits until the person's stream stands: this screen's, not that of the one before. */
export async function gotoLive(page: Page, path: string) {
  await page.goto('about:blank')
  const stream = page.waitForResponse((response) => response.url().endsWith('/subscribers/notifications/stream'))
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await stream
}

export { expect }

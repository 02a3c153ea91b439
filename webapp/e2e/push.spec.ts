import type { BrowserContext } from '@playwright/test'
import { chromium } from './support/browsers.ts'
import { Notifyd } from './support/notifyd.ts'
import { expect, openReceiving, test } from './support/test.ts'

test.use({
  settings: { PUSH: 'webpush', ANALYTICS: 'off' },
  // the headless shell has no push service, and does not say so
  launchOptions: ({ launchOptions }, use) => use({ ...launchOptions, executablePath: chromium }),
})

test('subscribe, toast in front, system notification behind, click to the notification', async ({
  profile,
  sininho,
  signIn,
}) => {
  const asked = hostsOf(profile)
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)

  const front = `À frente ${Date.now()}`
  await sininho.publish(front, { body: 'Com o Sininho aberto' })
  await expect(page.getByRole('status').filter({ hasText: front })).toHaveCount(1)
  expect((await notifyd.notes()).filter(({ summary }) => summary === front)).toEqual([])

  // pages of a test are always visible, so the app is in the background only while another page is open
  await page.goto('about:blank')
  const behind = `Atrás ${Date.now()}`
  await sininho.publish(behind, { body: 'Com o Sininho fechado' })
  const note = await notifyd.shown(behind)
  expect(note.body).toContain('Novidades · Com o Sininho fechado')

  const opened = profile.waitForEvent('page')
  await notifyd.click(note)
  const target = await opened
  await expect(target).toHaveURL(/\/feed\?notification=/)
  await expect(target.getByRole('article').filter({ hasText: behind })).toBeInViewport()
  await expect(target.getByRole('button', { name: behind, exact: true })).toBeVisible() // and marked as read
  expect([...asked], 'hosts that pages and the worker have asked').toEqual([new URL(sininho.url).host])
})

/** Collects the hosts that a browser asks. */
function hostsOf(context: BrowserContext): Set<string> {
  const hosts = new Set<string>()
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http')) hosts.add(host)
  })
  return hosts
}

test('explains that permission was denied', async ({ page, signIn }) => {
  await signIn(page, { to: '/settings/notifications' })
  await page.getByRole('button', { name: 'Ativar notificações' }).click()
  await expect(page.getByText(/estão bloqueadas neste navegador/)).toBeVisible()
})

test('reports that the browser has no push service', async ({ page, context, sininho, signIn }) => {
  await page.clock.install()
  await context.grantPermissions(['notifications'], { origin: sininho.url })
  await signIn(page, { to: '/settings/notifications' })
  await page.getByRole('button', { name: 'Ativar notificações' }).click()
  const failure = page.getByText(/Não foi possível chegar ao serviço de notificações do navegador/)
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000) // the app's time limit
      return failure.isVisible()
    })
    .toBe(true)
})

test('no screen asks for permission by itself', async ({ page, signIn }) => {
  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    Notification.requestPermission = () => (asked.push('permission'), Promise.resolve('default' as const))
    PushManager.prototype.subscribe = () => (asked.push('subscription'), Promise.reject(new Error('no')))
  })
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  for (const path of ['/', '/login', '/demo', '/channels']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await asked(), path).toEqual([])
  }
  await signIn(page)
  for (const path of [
    '/feed',
    '/settings',
    '/settings/notifications',
    '/settings/app',
    '/onboarding',
    '/channels/demo/novidades',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await asked(), path).toEqual([])
  }
})

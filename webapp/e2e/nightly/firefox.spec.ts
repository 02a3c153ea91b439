import type { Browser, Page } from 'puppeteer-core'
import { Autopush } from '../support/autopush.ts'
import { launchFirefox } from '../support/firefox.ts'
import { Notifyd } from '../support/notifyd.ts'
import { expect, test } from '../support/test.ts'

test.use({ settings: { PUSH: 'webpush', ANALYTICS: 'off' } })

let autopush: Autopush
let browser: Browser

test.beforeEach(async () => {
  autopush = await Autopush.start()
  browser = await launchFirefox(autopush)
})
test.afterEach(async () => {
  await browser.close()
  autopush.stop()
})

/** Signs in as a new person who follows a channel. */
async function signIn(page: Page, url: string) {
  await page.goto(`${url}/api/v1/auth/google?login_hint=firefox-${Date.now()}@example.com`)
  const followed = await page.evaluate(async () => {
    const call = (method: string, path: string, body?: string) =>
      fetch(`/api/v1${path}`, { method, body, headers: { 'Content-Type': 'application/json' } })
    await call('PUT', '/subscribers/onboarding', '{"step":"done"}')
    const { id } = (await (await call('GET', '/channels/demo/novidades')).json()) as { id: string }
    return (await call('POST', `/subscribers/channels/${id}/subscribe`)).status
  })
  expect(followed, 'status of following').toBe(200)
}

test('Firefox subscribes at its push service, shows a push and its correction, and opens it', async ({ sininho }) => {
  const notifyd = Notifyd.here()
  const page = await browser.newPage()
  await signIn(page, sininho.url)
  await page.goto(`${sininho.url}/settings/notifications`)
  await page.locator('::-p-text(Ativar notificações)').click()
  await page.locator('::-p-text(Este dispositivo recebe notificações.)').wait()
  await page.locator('::-p-text(Pronto: este dispositivo toca)').wait()

  await page.goto('about:blank')
  const title = `Para o Firefox ${Date.now()}`
  const id = await sininho.publish(title, { body: 'Sem Firebase' })
  expect((await notifyd.shown(title)).body).toContain('Sem Firebase')
  await expect.poll(() => autopush.acknowledged).toBe(2)
  expect(autopush.pushes.at(-1)).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })

  await sininho.command('notifications', 'correct', 'demo/novidades', id, '--title', `${title}, corrigida`)
  const corrected = await notifyd.shown(`${title}, corrigida`)
  await notifyd.click(corrected)
  await expect
    .poll(async () => (await browser.pages()).map((each) => each.url()))
    .toContain(`${sininho.url}/feed?notification=${id}`)
})

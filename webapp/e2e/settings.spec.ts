import { expect, test } from './support/test.ts'

test('settings that are not good show what is wrong, each with its name', async ({ page }) => {
  await page.route('**/config.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'globalThis.SININHO_ENV = Object.freeze({POSTHOG_HOST: "eu.posthog.com"})',
    }),
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Invalid env provided' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'DEMO_WEBHOOK_URL' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'POSTHOG_HOST' })).toContainText('inválido')
})

test('the settings served are frozen, not kept, and hold no secret', async ({ page, request }) => {
  const answer = await request.get('/config.js')
  expect(answer.headers()['cache-control']).toBe('no-store')
  const text = await answer.text()
  expect(text).not.toMatch(/SECRET|DATABASE|CREDENTIALS/)
  await page.goto('/')
  expect(await page.evaluate(() => Object.isFrozen((globalThis as { SININHO_ENV?: object }).SININHO_ENV))).toBe(true)
})

test('pages carry a strict policy', async ({ request }) => {
  const policy = (await request.get('/feed')).headers()['content-security-policy'] ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe-eval')
})

test('it can be installed', async ({ page, request }) => {
  await page.goto('/')
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as { icons: { src: string }[] }
  for (const { src } of manifest.icons) expect((await request.get(src)).status(), src).toBe(200)
})

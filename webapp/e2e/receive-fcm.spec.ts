import { chromium } from './support/browsers.ts'
import { expect, test } from './support/test.ts'
import { Taps } from './support/taps.ts'

test.use({
  settings: { PUSH: 'fcm', ANALYTICS: 'off' },
  // the headless shell has no push service, and does not say so
  launchOptions: ({ launchOptions }, use) => use({ ...launchOptions, executablePath: chromium }),
})

test('without an account, by Firebase: two taps from the link to the first push', async ({ profile, sininho }) => {
  const { page, taps } = await Taps.open(profile)
  await page.goto('/channels/demo/novidades')
  await taps.receive('Novidades')
  taps.atMost(2)
  const title = `Pelo Firebase ${Date.now()}`
  await sininho.publish(title)
  await expect(page.getByRole('status').filter({ hasText: title })).toHaveCount(1)
})

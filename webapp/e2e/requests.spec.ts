import { expect, follow, test } from './support/test.ts'

test('the feed asks for the notifications and the followed channels once', async ({ page, signIn }) => {
  await signIn(page)
  await follow(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/subscribers\/(notifications|channels)$/.test(pathname)) asked.push(pathname.replace(/.*\//, ''))
  })
  const streamed = page.waitForResponse((response) => response.url().endsWith('/subscribers/notifications/stream'))
  await page.goto('/feed')
  await page.getByRole('article').first().waitFor()
  await streamed
  await page.waitForLoadState('load')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 500))))
  expect(asked.toSorted()).toEqual(['channels', 'notifications'])
})

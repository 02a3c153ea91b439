import type { Page } from '@playwright/test'
import type { Sininho } from './support/sininho.ts'
import { expect, follow, test } from './support/test.ts'

const stream = '**/api/v1/subscribers/notifications/stream'

/** Records how often a page asks for the notifications and the followed channels. */
function record(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/subscribers\/(notifications|channels)$/.test(pathname)) asked.push(pathname.replace(/.*\//, ''))
  })
  return asked
}

const once = ['channels', 'notifications']

/** Publishes a notification with a title of its own: other tests publish to the same channel. */
async function arrival(page: Page, sininho: Sininho, title: string) {
  const own = `${title} ${Date.now()}`
  await sininho.publish(own)
  return page.getByRole('article').filter({ hasText: own })
}

test('the feed asks for the notifications and the followed channels once', async ({ page, signIn, sininho }) => {
  await signIn(page)
  await follow(page)
  const asked = record(page)
  const streamed = page.waitForResponse(stream)
  await page.goto('/feed')
  await page.getByRole('article').first().waitFor()
  await streamed
  // what arrives shows that the app has handled the opening of the stream
  await expect(await arrival(page, sininho, 'Depois de abrir')).toBeVisible()
  expect(asked.toSorted()).toEqual(once)
})

test('the feed asks once and misses nothing behind a proxy that holds the stream back', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  await follow(page)
  const asked = record(page)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(stream, async (route) => {
    await held
    await route.continue()
  })
  const streaming = page.waitForRequest(stream)
  await page.goto('/feed')
  await page.getByRole('article').first().waitFor()
  await streaming
  const missed = await arrival(page, sininho, 'Enquanto espera')
  letGo()
  await expect(missed).toHaveCount(1)
  await expect(page).toHaveTitle('(1) Notificações · Sininho')
  await expect(await arrival(page, sininho, 'Depois de abrir')).toBeVisible()
  await expect(page).toHaveTitle('(2) Notificações · Sininho')
  expect(asked.toSorted()).toEqual(once)
})

import type { Page } from '@playwright/test'
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

test('the feed asks for the notifications and the followed channels once', async ({ page, signIn, sininho }) => {
  await signIn(page)
  await follow(page)
  const asked = record(page)
  const streamed = page.waitForResponse(stream)
  await page.goto('/feed')
  await page.getByRole('article').first().waitFor()
  await streamed
  // what arrives shows that the app has handled the opening of the stream
  await sininho.publish('Depois de abrir')
  await expect(page.getByRole('article').filter({ hasText: 'Depois de abrir' })).toBeVisible()
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
  await sininho.publish('Enquanto espera')
  letGo()
  await expect(page.getByRole('article').filter({ hasText: 'Enquanto espera' })).toHaveCount(1)
  await expect(page).toHaveTitle('(1) Notificações · Sininho')
  await sininho.publish('Depois de abrir')
  await expect(page.getByRole('article').filter({ hasText: 'Depois de abrir' })).toBeVisible()
  await expect(page).toHaveTitle('(2) Notificações · Sininho')
  expect(asked.toSorted()).toEqual(once)
})

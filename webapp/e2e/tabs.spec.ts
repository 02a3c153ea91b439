import type { Page } from '@playwright/test'
import { expect, follow, test } from './support/test.ts'

test.use({ viewport: { width: 390, height: 844 } })

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Principal' }).getByRole('link')
const boxes = (page: Page) =>
  tabs(page).evaluateAll((links) =>
    links.filter((link) => link.checkVisibility()).map((link) => [link.getBoundingClientRect().x, link.clientWidth]),
  )

test('the tabs of a phone are equal and stay in place, and the one of the feed counts what is unread', async ({
  page,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  await page.goto('/feed')
  await sininho.publish(`Por ler ${crypto.randomUUID()}`)
  const feed = page.getByRole('link', { name: /^Notificações\s*\d+\s*por ler$/ })
  await expect(feed).toBeVisible()
  const before = await boxes(page)
  expect(before).toHaveLength(3)
  expect(new Set(before.map(([, width]) => width)).size, 'widths').toBe(1)
  await page.getByRole('link', { name: 'Canais', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
  expect(await boxes(page)).toEqual(before)
})

test('visitors find the channels in the header of a phone', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Canais' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
})

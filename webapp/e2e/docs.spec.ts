import type { Page } from '@playwright/test'
import { schemes, sizes } from './screens.ts'
import { axeFaults } from './support/axe.ts'
import { expect, test } from './support/test.ts'

/** The documentation, which the server renders without the web app. */

const pages = ['', '/publish', '/webhooks', '/errors', '/production', '/reference', '/reference/publishNotification']

test.describe('every page', () => {
  test.use({ viewport: sizes.phone, contextOptions: { reducedMotion: 'reduce' } })
  for (const path of pages) {
    test(`/docs${path} passes axe in all sizes and schemes and does not scroll sideways`, async ({ page }) => {
      await page.goto(`/docs${path}`)
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          const faults = await axeFaults(page, { colorsOnly: colorScheme !== schemes[0] })
          expect(faults, `${size}, ${colorScheme}`).toEqual([])
        }
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, `width, ${size}`).toBeLessThanOrEqual(viewport.width)
      }
    })
  }
})

test('the search is used by keyboard alone, and finds guides, their parts and operations', async ({ page }) => {
  await page.goto('/docs/publish')
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search the documentation' })
  await expect(search).toBeFocused()
  await search.fill('rotáte secret') // an accent typed by mistake
  const found = page.locator('#found')
  await expect(found.getByRole('link', { name: /^Rotate a webhook's secret/ })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText(/^\d+ results$/)
  await search.fill('idempotency key')
  const first = found.getByRole('link').first()
  await expect(first).toHaveText(/^Idempotency/)
  await page.keyboard.press('ArrowDown')
  await expect(first).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(found).toBeHidden()
  await expect(search).toBeFocused()
  await search.fill('zzqx')
  await expect(found).toHaveText('Nothing was found. Try fewer words, or others.')
  await search.fill('test of a device')
  await expect(found.getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/publish$/)
})

test('a chosen language applies to every page, also by arrow keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/publish')
  const typescript = page.getByRole('tab', { name: 'TypeScript' })
  const tabs = page.getByRole('tablist').filter({ has: typescript }).first()
  await tabs.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tabs.getByRole('tab', { name: 'TypeScript' })).toBeFocused()
  await expect(page.getByRole('tab', { name: 'TypeScript', selected: true })).toHaveCount(await typescript.count())
  await shown(page).getByRole('button', { name: 'Copy' }).click()
  await expect(shown(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("from '@sininho/sdk'")
  await page.goto('/docs/idempotency')
  await expect(page.getByRole('tab', { name: 'TypeScript', selected: true }).first()).toBeVisible()
})

const shown = (page: Page) => page.getByRole('tabpanel', { name: 'TypeScript' }).first()

test('on a phone the contents open and close, and no word is cut off', async ({ page }) => {
  await page.setViewportSize(sizes.phone)
  await page.goto('/docs/reference/rotateEventEndpoint')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expect(contents).toBeHidden()
  await page.getByRole('button', { name: 'Contents', expanded: false }).click()
  await expect(contents.getByRole('link', { name: 'Publish in five minutes' })).toBeVisible()
  await expect(contents.locator('[aria-current=page]')).toHaveAttribute('href', '/docs/reference/rotateEventEndpoint')
  await page.getByRole('button', { name: 'Contents', expanded: true }).click()
  await expect(contents).toBeHidden()
  await page.evaluate(() => {
    for (const text of document.querySelectorAll('main p, main h1')) text.textContent += 'palavra'.repeat(40)
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes.phone.width)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('everything can be read', async ({ page }) => {
    await page.setViewportSize(sizes.phone)
    await page.goto('/docs/publish')
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeVisible()
    for (const label of ['curl', 'CLI', 'Go', 'TypeScript']) {
      await expect(page.getByRole('group', { name: label, exact: true }).first()).toBeVisible()
    }
  })
})

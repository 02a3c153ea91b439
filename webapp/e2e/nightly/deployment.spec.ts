import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

test.use({ serviceWorkers: 'block' }) // its requests cannot be answered here

/**
 * Deploys a release over the one that the page is about to run: a part that it has not loaded is gone, and the server's
 * first page names another release, which is the one that is loaded next. `broken` keeps the part missing there too.
 */
async function deploy(page: Page, { broken = false } = {}) {
  let loads = 0
  page.on('request', (request) => void (loads += Number(request.isNavigationRequest())))
  await page.route(/\/assets\/(demo|Composer)-[^/]*\.(css|js)$/, (route) =>
    loads < 2 || broken ? route.fulfill({ status: 404, body: '404 page not found' }) : route.continue(),
  )
  const next = (await (await page.request.get('/')).text()).replaceAll(/(\/assets\/index-)[^/"]*(?=\.js)/g, '$1New')
  await page.route('/', (route) => route.fulfill({ contentType: 'text/html', body: next }))
  return () => loads
}

test('right after a deployment the page that was asked for is loaded anew', async ({ page }) => {
  const loads = await deploy(page)
  await page.goto('/channels')
  await page.getByRole('heading', { level: 1, name: 'Canais' }).waitFor()
  await page.getByRole('link', { name: 'Demonstração' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demonstração' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Título' })).toBeVisible()
  await expect(page).toHaveURL('/demo')
  expect(loads(), 'page loads').toBeGreaterThan(1)
})

test('a part that stays missing is reported, and the page is not loaded for ever', async ({ page }) => {
  const loads = await deploy(page, { broken: true })
  await page.goto('/channels')
  await page.getByRole('heading', { level: 1, name: 'Canais' }).waitFor()
  await page.getByRole('link', { name: 'Demonstração' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong!' })).toBeVisible()
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong!' })).toBeVisible()
  // the first, one for the new release, and one of the router's for the missing script
  expect(loads(), 'page loads').toBeLessThanOrEqual(3)
})

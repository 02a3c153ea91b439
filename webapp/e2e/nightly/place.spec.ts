import type { Page } from '@playwright/test'
import { expect, follow, gotoLive, test } from '../support/test.ts'

/** The first row that begins in sight, and where. */
const topRow = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('main [data-id]')]
    const row = rows.find((each) => each.getBoundingClientRect().top >= 0)
    return row && { id: row.dataset.id, top: Math.round(row.getBoundingClientRect().top) }
  })

for (const [name, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1280, height: 800 }],
] as const) {
  test(`a reload deep down the feed keeps the row on top, with new arrivals: ${name}`, async ({
    page,
    sininho,
    signIn,
  }) => {
    await page.setViewportSize(viewport)
    await signIn(page)
    const channel = await sininho.createChannel(sininho.slug('alturas'))
    await follow(page, channel)
    const body = (number: number) => 'Uma frase que ocupa o seu lugar na linha. '.repeat((number * 7) % 9)
    const many = Array.from({ length: 95 }, (_, number) => ({ title: `Número ${number}`, body: body(number) }))
    await sininho.publishAll(channel, many)
    await gotoLive(page, `/feed?channel=${channel}`)
    const rows = page.locator('main [data-id]')
    await expect(async () => {
      await page.mouse.move(200, 400)
      await page.mouse.wheel(0, 20_000)
      expect(await rows.count()).toBeGreaterThan(80)
    }).toPass()
    await page.mouse.wheel(0, -1500)
    await settled(page)
    const before = await topRow(page)
    await sininho.publishAll(channel, [{ title: 'Entretanto', body: body(5) }, { title: 'E mais' }])
    await page.reload()
    await expect.poll(() => topRow(page)).toEqual(before)
    await page
      .getByText('Entretanto')
      .first()
      .waitFor({ state: 'attached', timeout: 5000 })
      .catch(() => undefined)
    expect(await topRow(page), 'once all is loaded').toEqual(before)
  })
}

test('a reload low on the first page, and the way back to it, keep the place', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const publishing = page.getByRole('region', { name: 'Tem algo para dizer?' })
  await publishing.scrollIntoViewIfNeeded()
  await settled(page)
  const place = async () => Math.round((await publishing.boundingBox())?.y ?? Number.NaN)
  const before = await place()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1500)
  await page.reload()
  await expect.poll(place).toBe(before)
  await page.getByRole('link', { name: 'Experimentar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Demonstração' }).waitFor()
  await page.goBack()
  await expect.poll(place).toBe(before)
})

/** Waits until nothing moves. */
const settled = (page: Page) =>
  expect(async () => {
    const heights = () => page.evaluate(() => [scrollY, document.documentElement.scrollHeight])
    const before = await heights()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))))
    expect(await heights()).toEqual(before)
  }).toPass()

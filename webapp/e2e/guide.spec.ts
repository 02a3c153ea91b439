import { statSync } from 'node:fs'
import { sizes } from './screens.ts'
import { guide } from './screens/guide.ts'
import { expect, test } from './support/test.ts'

test.use({ viewport: sizes.phone })

test('tells a visitor how to publish, with pictures of what it speaks of', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Rodapé' }).getByRole('link', { name: 'Como publicar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Como publicar' })).toBeVisible()
  const pictures = page.getByRole('main').getByRole('img')
  await expect(pictures).toHaveCount(Object.keys(guide).length)
  for (const picture of await pictures.all()) {
    const kept = await picture.evaluate((img: HTMLImageElement) => img.height)
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    const shown = await picture.evaluate((img: HTMLImageElement) => img.height)
    expect(Math.abs(shown - kept), (await picture.getAttribute('alt')) ?? '').toBeLessThanOrEqual(1)
  }
  await page.getByRole('link', { name: 'Criar um canal' }).first().click()
  await expect(page).toHaveURL(/\/login\?redirect=%2Fnew$/)
})

test('has small pictures', () => {
  for (const name of Object.keys(guide)) {
    const file = new URL(`../src/features/guide/pictures/${name}.webp`, import.meta.url)
    expect(statSync(file).size, name).toBeLessThanOrEqual(60_000)
  }
})

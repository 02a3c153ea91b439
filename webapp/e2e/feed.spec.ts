import type { Locator, Page } from '@playwright/test'
import { expect, follow, gotoLive, test } from './support/test.ts'

const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const box = async (element: Locator) => (await element.boundingBox())!
const colour = (element: Locator) => element.evaluate((each) => getComputedStyle(each).backgroundColor)

test('a notification is read and archived in its row, by mouse and by keyboard', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  await follow(page)
  for (const name of ['A', 'B']) await sininho.publish(`Fila ${name}`, { body: 'Um texto.' })
  await gotoLive(page, '/feed')
  const [a, b] = [card(page, 'Fila A'), card(page, 'Fila B')]
  const button = (row: Locator, name: string) => row.getByRole('button', { name, exact: true })

  await test.step('the mouse shows the buttons, and moves nothing', async () => {
    await expect(b).toBeVisible()
    const { height } = await box(b)
    await expect(button(b, 'Arquivar')).toHaveCount(0)
    await b.hover()
    for (const name of ['Marcar como lida', 'Arquivar']) {
      expect(await box(button(b, name))).toMatchObject({ width: 44, height: 44 })
    }
    expect((await box(b)).height).toBe(height)
    await a.hover()
    expect((await box(button(b, 'Arquivar'))).width).toBe(0)
  })

  await test.step('marking as read keeps the focus, and the row is no longer tinted', async () => {
    const tinted = await colour(b)
    await b.hover()
    await button(b, 'Marcar como lida').click()
    await expect(button(b, 'Fila B')).toBeVisible()
    await expect(button(b, 'Marcar como não lida')).toBeFocused()
    expect(await colour(b)).not.toBe(tinted)
  })

  await test.step('archiving leads to the next, where the keyboard has the same buttons', async () => {
    await button(b, 'Arquivar').click()
    await expect(b).toHaveCount(0)
    await expect(button(a, 'Por ler: Fila A')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(button(a, 'Marcar como lida')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(button(a, 'Arquivar')).toBeFocused()
    expect(await box(button(a, 'Arquivar'))).toMatchObject({ width: 44, height: 44 })
  })

  await test.step('the one that is open beside the list is marked', async () => {
    await button(a, 'Por ler: Fila A').click()
    await expect(page.getByRole('region', { name: 'A notificação que abriu' })).toBeVisible()
    const others = page.getByRole('article').filter({ hasNotText: 'Fila A' })
    expect(await colour(a)).not.toBe(await colour(others.first()))
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the search is an icon that opens the field', async ({ page, sininho, signIn }) => {
    await signIn(page)
    await follow(page)
    await sininho.publish('Concerto no coreto')
    await gotoLive(page, '/feed')
    const search = page.getByRole('searchbox', { name: 'Procurar nas notificações' })
    expect(await box(search)).toMatchObject({ width: 44, height: 44 })
    await search.tap()
    await expect(search).toBeFocused()
    expect((await box(search)).width).toBeGreaterThan(340)
    await search.fill('coreto')
    await expect(page).toHaveURL(/q=coreto/)
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByText('1 resultado', { exact: true })).toBeVisible()
    await expect(page.locator('mark')).toHaveText('coreto')
    await search.blur()
    expect((await box(search)).width).toBeGreaterThan(340)
    await search.fill('')
    await search.blur()
    expect((await box(search)).width).toBe(44)
  })
})

for (const [locale, name] of [
  ['pt-PT', 'Partes das notificações'],
  ['pt-BR', 'Partes das notificações'],
  ['en', 'Notification views'],
] as const) {
  test.describe(`on phones, in ${locale}`, () => {
    test.use({ locale, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

    test('all parts of the feed fit', async ({ page, sininho, signIn }) => {
      await signIn(page)
      await page.request.patch('/api/v1/subscribers/me', { data: { locale } })
      await follow(page)
      await sininho.publish('Por ler')
      await page.goto('/feed')
      await page.getByRole('article').first().waitFor()
      const parts = page.getByRole('navigation', { name })
      const missing = () => parts.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      await expect.poll(missing, '360 px').toBe(0)
      await page.setViewportSize({ width: 390, height: 740 })
      await expect.poll(missing, '390 px').toBe(0)
    })
  })
}

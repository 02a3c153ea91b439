import type { CDPSession, Locator, Page } from '@playwright/test'
import { expect, follow, gotoLive, test } from './support/test.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

type Finger = { moveTo: (x: number, y?: number) => Promise<void>; lift: () => Promise<void> }

/** Puts a finger on a card. Distances are in pixels from there. */
async function touch(cdp: CDPSession, card: Locator, from = 0.5): Promise<Finger> {
  const { x: left, y: top, width, height } = (await card.boundingBox())!
  const [x, y] = [left + width * from, top + height / 2]
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  let at = { x, y }
  await send('touchStart', [at])
  return {
    async moveTo(dx, dy = 0) {
      const [fromX, fromY] = [at.x, at.y]
      for (let step = 1; step <= 8; step++) {
        at = { x: fromX + ((x + dx - fromX) * step) / 8, y: fromY + ((y + dy - fromY) * step) / 8 }
        await send('touchMove', [at])
      }
    },
    lift: async () => void (await send('touchEnd', [])),
  }
}

const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const shift = (element: Locator) => element.evaluate((each) => new DOMMatrix(getComputedStyle(each).transform).e)

test('triage by touch', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await follow(page)
  for (const name of ['A', 'B', 'C']) await sininho.publish(`Dedo ${name}`, { body: 'Texto de duas linhas, ao toque.' })
  await gotoLive(page, '/feed')
  const cdp = await page.context().newCDPSession(page)
  const ready = page.locator('[class*=swipes]')
  await ready.waitFor()
  const [a, b] = [card(page, 'Dedo A'), card(page, 'Dedo B')]

  await test.step('a short swipe says what it would do, and springs back', async () => {
    const finger = await touch(cdp, b)
    await finger.moveTo(-60)
    await expect(page.getByText('Arquivar', { exact: true })).toBeVisible()
    expect(await shift(b)).toBeCloseTo(-60, 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await finger.moveTo(60)
    await expect(page.getByText('Lida', { exact: true })).toBeVisible()
    await finger.lift()
    await expect.poll(() => shift(b)).toBe(0)
    await expect(b.getByRole('button', { name: 'Por ler: Dedo B' })).toBeVisible()
  })

  await test.step('to the right marks as read, and again as unread', async () => {
    for (const name of ['Dedo B', 'Por ler: Dedo B']) {
      const finger = await touch(cdp, b)
      await finger.moveTo(150)
      await finger.lift()
      await expect(b.getByRole('button', { name, exact: true })).toBeVisible()
      await expect.poll(() => shift(b)).toBe(0)
    }
  })

  await test.step('to the left archives, and the toast takes it back', async () => {
    const finger = await touch(cdp, b)
    await finger.moveTo(-150)
    await finger.lift()
    await expect(b).toHaveCount(0)
    await page.getByRole('button', { name: 'Anular' }).click()
    await expect(b).toBeVisible()
    expect(await shift(b)).toBe(0)
  })

  await test.step('up and down scrolls, and from the edge the browser goes back', async () => {
    const finger = await touch(cdp, a)
    await finger.moveTo(20, -300)
    await finger.moveTo(-200, -300)
    await finger.lift()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const { x, width } = (await a.boundingBox())!
    const atEdge = await touch(cdp, a, (10 - x) / width)
    await atEdge.moveTo(200)
    expect(await shift(a)).toBe(0)
    await atEdge.lift()
    await expect(a.getByRole('button', { name: 'Por ler: Dedo A' })).toBeVisible()
  })

  await test.step('among the archived, to the left takes it back', async () => {
    const away = await touch(cdp, a)
    await away.moveTo(-150)
    await away.lift()
    await expect(a).toHaveCount(0)
    await page.getByRole('link', { name: 'Arquivadas' }).click()
    await expect(a).toBeVisible()
    const back = await touch(cdp, a)
    await back.moveTo(-150)
    await expect(page.getByText('Desarquivar', { exact: true })).toBeVisible()
    await back.lift()
    await expect(page.getByText('Nada arquivado')).toBeVisible()
  })
})

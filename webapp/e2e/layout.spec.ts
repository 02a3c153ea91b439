import type { Locator, Page } from '@playwright/test'
import { expect, follow, gotoLive, openFollowed, test, toastsLoaded, workerReady } from './support/test.ts'

const box = async (element: Locator) => (await element.boundingBox())!
const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 844 })

for (const width of [320, 390]) {
  test(`the last step of the onboarding shows next and back side by side, ${width} px`, async ({ page, signIn }) => {
    await resize(page, width)
    await signIn(page)
    await page.goto('/onboarding?step=notifications')
    const back = await box(page.getByRole('button', { name: 'Voltar' }))
    const on = await box(page.getByRole('button', { name: 'Ativar notificações' }))
    expect(on.x).toBeGreaterThanOrEqual(back.x + back.width)
    expect(on.x + on.width).toBeLessThanOrEqual(width)
    expect(on.y + on.height / 2).toBeCloseTo(back.y + back.height / 2, 0)
  })

  test(`a toast does not cover the offline bar, ${width} px`, async ({ page, context }) => {
    await resize(page, width)
    await page.goto('/demo')
    const send = page.getByRole('button', { name: 'Enviar', exact: true })
    await send.waitFor()
    await toastsLoaded(page)
    await workerReady(page)
    await context.setOffline(true)
    const bar = page.getByRole('status').filter({ hasText: 'Sem ligação. A mostrar o que já foi carregado.' })
    await expect(bar).toBeVisible()
    await send.click()
    const toast = page.getByRole('alert').filter({ hasText: 'Algo Correu mal!' })
    await expect(toast).toBeVisible()
    const { y, height } = await box(bar)
    await expect.poll(async () => (await box(toast)).y).toBeGreaterThanOrEqual(y + height)
  })
}

for (const width of [320, 390, 1280]) {
  test(`what is done to the whole feed stays in reach, ${width} px`, async ({ page, context, sininho, signIn }) => {
    await resize(page, width)
    await signIn(page)
    const titles = Array.from({ length: 20 }, (_, index) => ({ title: `Por ler ${index}`, body: 'Um texto.' }))
    const channel = await sininho.createChannel(`alcance-${width}`)
    await follow(page, channel)
    await sininho.publishAll(channel, titles)
    await gotoLive(page, `/feed?channel=${channel}`)
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
    const all = page.getByRole('button', { name: 'Marcar tudo como lido' })
    const inReach = () =>
      all.evaluate((element) => {
        const { left, top, width: wide, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(left + wide / 2, top + height / 2))
      })
    expect(await inReach()).toBe(true)
    await workerReady(page)
    await context.setOffline(true)
    await expect(page.getByText('Sem ligação. A mostrar o que já foi carregado.')).toBeVisible()
    await expect.poll(inReach).toBe(true)
    const [{ y }, bar] = [await box(all), await box(page.getByText('Sem ligação. A mostrar'))]
    expect(y).toBeGreaterThanOrEqual(bar.y + bar.height)
    await context.setOffline(false)
    await all.click()
    await expect(page.getByText('Está tudo lido.')).toBeVisible()
  })
}

test('the labels of the bottom bar are complete and do not overlap', async ({ page, signIn }) => {
  await resize(page, 320)
  await signIn(page)
  for (const [path, width] of [
    ['/settings', 320],
    ['/channels', 320],
    ['/channels', 360],
  ] as const) {
    await resize(page, width)
    await page.goto(path)
    const names = page.getByRole('navigation', { name: 'Principal' }).getByRole('listitem').locator('a > :nth-child(2)')
    await expect(names).toHaveText(['Notificações', 'Canais', 'Preferências'])
    const cut = await names.evaluateAll((all) =>
      all.filter((name) => name.scrollWidth > name.clientWidth + 1).map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    const places = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect()))
    const gaps = places.slice(1).map(({ left }, index) => left - places[index]!.right)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2)
  }
})

test('a channel’s buttons are in one row, or in rows of the same width, without broken words', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await openFollowed(page)
  const following = page.getByRole('button', { name: /^A seguir/ })
  const bell = page.getByRole('button', { name: /^Sino de/ })
  const tidy = async () => {
    const [one, other] = [await box(following), await box(bell)]
    expect(other.height).toBeCloseTo(one.height, 0)
    if (Math.abs(one.y - other.y) < 1) return
    expect(other.x).toBeCloseTo(one.x, 0)
    expect(other.width).toBeCloseTo(one.width, 0)
  }
  for (const width of [390, 1280]) {
    await resize(page, width)
    await tidy()
  }
  await bell.click()
  await page.getByRole('button', { name: /^8 horas/ }).click()
  await expect(bell).toHaveAccessibleName(/Silenciado/)
  for (const width of [390, 1280]) {
    await resize(page, width)
    await tidy()
  }
})

for (const [locale, unfollow, bell, share] of [
  ['pt-PT', /^A seguir/, /^Sino de/, 'Partilhar'],
  ['pt-BR', /^Seguindo/, /^Sino de/, 'Compartilhar'],
  ['en', /^Following/, /^Bell/, 'Share'],
] as const) {
  test.describe(locale, () => {
    test.use({ locale })

    test('the buttons of a followed channel are in one row, 360 px', async ({ page, signIn }) => {
      await resize(page, 360)
      await signIn(page)
      await page.request.patch('/api/v1/subscribers/me', { data: { locale } })
      await follow(page)
      await page.goto('/channels/demo/novidades')
      const buttons = [unfollow, bell, share].map((name) => page.getByRole('button', { name }))
      await Promise.all(buttons.map((button) => button.waitFor()))
      const boxes = await Promise.all(buttons.map(box))
      for (const { y, height, width } of boxes) {
        expect(y).toBeCloseTo(boxes[0]!.y, 0)
        expect(height).toBeCloseTo(boxes[0]!.height, 0)
        expect(width).toBeGreaterThanOrEqual(44)
      }
      expect(boxes[2]!.x + boxes[2]!.width).toBeLessThanOrEqual(344)
      const cut = await buttons[0]!.evaluate((button) => button.scrollWidth > button.clientWidth)
      expect(cut, 'words that are cut off').toBe(false)
    })
  })
}

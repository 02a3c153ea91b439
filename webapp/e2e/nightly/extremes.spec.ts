import type { Locator } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import { expect, follow, gotoLive, test } from '../support/test.ts'

test('a long list stays light, and loads more by scrolling and by button', async ({ page, sininho, signIn }, info) => {
  const count = 200
  const file = info.outputPath('many.jsonl')
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ title: `Muitas ${index}`, body: 'Texto. ' }),
  )
  await writeFile(file, lines.join('\n'))
  await sininho.command('channels', 'create', 'demo/muitas', '--name', 'Muitas', '--category', 'cidade', '--unlisted')
  await sininho.command('publish', 'demo/muitas', '--file', file)
  await signIn(page)
  await follow(page, 'demo/muitas')
  await page.goto('/feed')
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(10)
  await page.getByRole('button', { name: 'Carregar mais' }).click()
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(20)
  await expect
    .poll(
      async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        return cards.count()
      },
      { intervals: [50] },
    )
    .toBeGreaterThanOrEqual(count)
  // cards outside the viewport are neither laid out nor painted
  const skipped = await cards.evaluateAll(
    (all) => all.filter((card) => !card.querySelector('h3')!.checkVisibility({ contentVisibilityAuto: true })).length,
  )
  expect(skipped).toBeGreaterThan(count - 100)
})

test('a title without spaces, a text of 20,000 characters and a broken image stay within their card', async ({
  page,
  sininho,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/feed')
  const title = 'W'.repeat(200)
  const more = ['--image', 'https://example.invalid/x.png', '--icon', 'https://example.invalid/i.png']
  await sininho.publish(title, { body: 'muito texto '.repeat(1600).slice(0, 19_990) + ' fim.', more })
  const card = page.getByRole('article').filter({ hasText: title })
  await expect(card).toBeVisible()
  await expect(card.locator('img')).toHaveCount(0)
  expect((await card.boundingBox())!.height).toBeLessThan(844)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await card.getByRole('heading').getByRole('button').click()
  await expect(card.getByText(/ fim\.$/)).toBeVisible()
  expect((await card.boundingBox())!.height).toBeGreaterThan(5_000)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('archiving applies to every tab and persists; undo restores the notification', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  const title = `A arquivar ${Date.now()}`
  const other = await context.newPage()
  await gotoLive(other, '/feed')
  await gotoLive(page, '/feed')
  await sininho.publish(title)
  const [card, elsewhere] = [page, other].map((tab) => tab.getByRole('article').filter({ hasText: title })) as [
    Locator,
    Locator,
  ]
  await expect(elsewhere).toBeVisible()
  const archive = async () => {
    await card.getByRole('button', { name: 'Opções' }).click()
    await page.getByRole('menuitem', { name: 'Arquivar' }).click()
    await expect(card).toHaveCount(0)
    await expect(elsewhere).toHaveCount(0)
  }
  await archive()
  await page.getByRole('button', { name: 'Anular' }).click()
  await expect(card).toBeVisible()
  await expect(elsewhere).toBeVisible()
  await archive()
  await expect(page.getByText('Notificação arquivada.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(card).toHaveCount(0)
})

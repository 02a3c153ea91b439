import type { Locator, Page } from '@playwright/test'
import { channels, commute } from './screens/data/commuter.ts'
import { expect, gotoLive, test } from './support/test.ts'

const phone = { width: 390, height: 844 }

/** Opens the feed of a new commuter, once its channels are there. */
async function openFeed(page: Page) {
  await gotoLive(page, '/feed')
  await expect(followed(page).getByRole('listitem')).toHaveCount(channels + 1)
  await page.getByRole('article').first().waitFor()
}

const followed = (page: Page) => page.getByRole('navigation', { name: 'Canais que segue' })
const groupOf = (page: Page, channel: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { level: 3, name: channel }) })
const topOf = (element: Locator) => element.evaluate((each) => each.getBoundingClientRect().top + scrollY)
const box = async (element: Locator) => (await element.boundingBox())!

test.beforeEach(async ({ page, sininho, signIn }) => {
  await page.setViewportSize(phone)
  await signIn(page)
  await commute(page, sininho)
})

test('a phone shows six rows of 40 channels, the first in its upper 150 px', async ({ page }) => {
  await openFeed(page)
  const rows = await page
    .getByRole('article')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  const bar = await box(page.getByRole('navigation', { name: 'Principal' }))
  expect(rows[0]!.top, 'top of the first row').toBeLessThan(150)
  expect(rows.filter(({ bottom }) => bottom <= bar.y).length, 'rows above the bottom bar').toBeGreaterThanOrEqual(6)
})

test('what is important comes first, and turns grey when its time is over', async ({ page }) => {
  await page.clock.install()
  await openFeed(page)
  const card = page.getByRole('region', { name: 'Agora' }).getByRole('article').first()
  await expect(card.getByText(/^até /)).toBeVisible()
  const colour = () => card.getByRole('heading').evaluate((heading) => getComputedStyle(heading).color)
  const before = await colour()
  await page.clock.fastForward('03:01:00')
  await expect(card.getByText('já passou')).toBeVisible()
  expect(await colour(), 'the title once its time is over').not.toBe(before)
  expect(await page.getByRole('article').first().textContent()).toContain('Linha amarela')
})

test('searching the followed channels moves nothing below', async ({ page }) => {
  await openFeed(page)
  const first = page.getByRole('article').first()
  const search = page.getByRole('searchbox', { name: 'Procurar nos que segue' })
  await search.focus()
  const { y } = await box(first)
  for (const [text, count] of [
    ['pisc', 2],
    ['nada disto', 1],
    ['', channels + 1],
  ] as const) {
    await search.fill(text)
    await expect(followed(page).getByRole('listitem')).toHaveCount(count)
    expect((await box(first)).y, `the list while searching for “${text}”`).toBe(y)
  }
})

test('a link costs no line of its own', async ({ page, sininho }) => {
  const channel = await sininho.createChannel(sininho.slug('ligacoes'))
  await sininho.publishAll(channel, [
    { title: 'Sem mais', body: 'Uma linha.' },
    { title: 'Com mais', body: 'Uma linha.', link: 'https://example.com/mais' },
  ])
  for (const size of [phone, { width: 1280, height: 800 }]) {
    await page.setViewportSize(size)
    await page.goto(`/channels/${channel}`)
    const row = (name: string) => page.getByRole('article').filter({ hasText: name })
    const taller = (await box(row('Com mais'))).height - (await box(row('Sem mais'))).height
    expect(taller, 'pixels by which a row with a link is taller').toBeLessThan(4)
    await expect(row('Com mais').getByRole('link', { name: 'Abrir example.com' })).toBeVisible()
  }
})

test('what a channel has unread is one row, which opens, stays and is read as one', async ({ page, sininho }) => {
  await openFeed(page)
  const deploys = groupOf(page, 'Deploys')
  const button = deploys.getByRole('heading', { level: 3 }).getByRole('button')
  await expect(button).toHaveAccessibleName(/Deploys.*28 por ler/)
  const top = await topOf(deploys)

  const { channel } = await subscription('Deploys')
  await sininho.publishAll(`${channel.publisherSlug}/${channel.slug}`, [{ title: 'Mesmo agora' }])
  await expect(button).toHaveAccessibleName(/29 por ler/)
  await expect(deploys).toContainText('Mesmo agora')
  expect(await topOf(deploys), 'the row after an arrival').toBe(top)

  await button.click()
  const list = page.getByRole('region', { name: 'Deploys', exact: true })
  await expect(list.getByRole('article').nth(9)).toBeAttached()
  await list.getByRole('article').first().getByRole('heading').getByRole('button').click()
  await expect(button).toHaveAccessibleName(/28 por ler/)
  expect(await topOf(deploys), 'the row after reading in it').toBe(top)
  await button.click()
  await expect(list).toHaveCount(0)

  await deploys.getByRole('button', { name: 'Opções' }).click()
  await page.getByRole('menuitem', { name: 'Marcar tudo deste canal como lido' }).click()
  await expect(button).toHaveAccessibleName('Deploys')
  await expect.poll(async () => (await subscription('Deploys')).unreadCount).toBe(0)

  type Subscription = { unreadCount: number; channel: { name: string; publisherSlug: string; slug: string } }
  async function subscription(name: string) {
    const all = await page.request.get('/api/v1/subscribers/channels?limit=100')
    return ((await all.json()) as { data: Subscription[] }).data.find((each) => each.channel.name === name)!
  }
})

test('a group is archived as one by a key, and comes back', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openFeed(page)
  const reviews = groupOf(page, 'Revisões de código')
  await page.locator('[aria-haspopup=dialog][title="Atalhos do teclado"]').waitFor({ state: 'attached' })
  await reviews.getByRole('heading', { level: 3 }).getByRole('button').focus()
  await page.keyboard.press('e')
  await expect(page.getByText('22 notificações arquivadas.')).toBeVisible()
  await expect(reviews).toHaveCount(0)
  await page.getByRole('button', { name: 'Anular' }).click()
  await expect(reviews).toHaveCount(1)
})

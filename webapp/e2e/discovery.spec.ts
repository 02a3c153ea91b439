import { type Page, request } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { Sininho } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

const rows = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 })
const order = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Ordem' }).getByRole('link', { name, exact: true })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Procurar canais' })

/** Creates a publisher with a website and one channel, which has published a word of its own, of a new person. */
async function newPublisher(sininho: Sininho) {
  const slug = `coro-${randomUUID().slice(0, 8)}`
  const name = `Ensaios ${slug.slice(5)}`
  const owner = await request.newContext({ baseURL: sininho.url })
  await owner.get(`/api/v1/auth/google?login_hint=${slug}@example.com`)
  const publisher = {
    slug,
    name: `Coro ${slug.slice(5)}`,
    description: 'Vozes da vila.',
    website: 'https://coro.example/',
  }
  await owner.post('/api/v1/publishers', { data: publisher })
  const { data } = (await (await owner.get('/api/v1/categories')).json()) as { data: { id: string; slug: string }[] }
  const categoryId = data.find((category) => category.slug === 'cultura')!.id
  const made = await owner.post('/api/v1/channels', {
    data: { publisherSlug: slug, slug: 'ensaios', name, categoryId },
  })
  expect(made.status(), 'status of the new channel').toBe(201)
  const word = `estorninho${slug.slice(5)}`
  await owner.post(`/api/v1/channels/${slug}/ensaios/notifications`, { data: { title: `Um ${word} no telhado` } })
  await owner.dispose()
  return { slug, name, publisher: publisher.name, word }
}

test('channels come by their followers, by those they gained, and by age', async ({ page, sininho }) => {
  const { name } = await newPublisher(sininho)
  const sorted = async (sort: string) => {
    const { data } = (await (await page.request.get(`/api/v1/channels?limit=20&sort=${sort}`)).json()) as {
      data: { name: string }[]
    }
    return data.map((channel) => channel.name)
  }
  const [popular, trending] = [await sorted('popular'), await sorted('trending')]
  expect(trending, 'trending channels').not.toEqual(popular)
  await page.goto('/channels')
  await expect(rows(page)).toHaveText(popular)
  await order(page, 'Em alta').click()
  await expect(page).toHaveURL('/channels?sort=trending')
  await expect(order(page, 'Em alta')).toHaveAttribute('aria-current', 'page')
  await expect(rows(page)).toHaveText(trending)
  await page.getByRole('link', { name: 'Cultura' }).click()
  await expect(page).toHaveURL(/sort=trending/)
  await expect(page).toHaveURL(/category=cultura/)
  await order(page, 'Novos').click()
  await expect(rows(page).first()).toHaveText(name)
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('Novo', { exact: true })).toBeVisible()
  await expect(page.getByText('0 seguidores', { exact: true })).toHaveCount(0)
  await page.goBack()
  await expect(order(page, 'Em alta')).toHaveAttribute('aria-current', 'page')
})

test('a search finds channels by publisher, category and what they published', async ({ page, sininho }) => {
  const { slug, name, publisher, word } = await newPublisher(sininho)
  await page.goto('/channels?sort=newest')
  await search(page).fill(slug.slice(5))
  await expect(rows(page)).toHaveText([name])
  await expect(page.getByRole('navigation', { name: 'Ordem' })).toHaveCount(0)
  const found = page.getByRole('navigation', { name: 'Quem publica' }).getByRole('link')
  await expect(found).toHaveAccessibleName(`${publisher} 1 canal`)

  await page.getByRole('link', { name: 'Ciência' }).click()
  await page.getByRole('link', { name: 'Procurar em todas as categorias' }).click()
  await expect(rows(page)).toHaveText([name])
  await search(page).fill('cultura')
  await expect(rows(page).filter({ hasText: 'Cinema ao ar livre' })).toBeVisible()
  await expect(page.getByText(`${await rows(page).count()} canais`, { exact: true })).toBeVisible()

  // what is published is found after some seconds
  const published = async () => {
    const { meta } = (await (await page.request.get(`/api/v1/channels?q=${word}`)).json()) as {
      meta: { total: number }
    }
    return meta.total
  }
  await expect.poll(published).toBe(1)
  await search(page).fill(word)
  await expect(rows(page)).toHaveText([name])
  await expect(found).toHaveCount(0)

  await page.getByRole('button', { name: 'Limpar a procura' }).click()
  await expect(search(page)).toHaveValue('')
  await expect(search(page)).toBeFocused()
  await expect(page).not.toHaveURL(/[?&]q=/)
  await expect(rows(page).nth(5)).toBeVisible()

  await search(page).fill('CIENCIA ceu')
  await expect(rows(page).locator('mark')).toHaveText(['céu'])
  await search(page).fill('nada-disto')
  await page.getByRole('link', { name: 'Limpar a procura' }).click()
  await expect(search(page)).toHaveValue('')
  await expect(rows(page).nth(5)).toBeVisible()
})

test('a phone shows six channels', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/channels')
  await expect(rows(page).nth(6)).toBeAttached()
  const { whole, tallest } = await page.evaluate(() => {
    const bottom = document.querySelector('nav')!.getBoundingClientRect().top // the bar of the app
    const boxes = [...document.querySelectorAll('main li')].map((row) => row.getBoundingClientRect())
    const whole = boxes.filter((box) => box.top >= 0 && box.bottom <= bottom).length
    return { whole, tallest: Math.max(...boxes.map(({ height }) => height)) }
  })
  expect(whole, 'channels that are seen whole').toBeGreaterThanOrEqual(6)
  expect(tallest, 'height of a row').toBeLessThanOrEqual(100)
})

for (const width of [360, 1280]) {
  test(`a channel is followed in its row without moving anything, ${width} px`, async ({ page, signIn }) => {
    await page.setViewportSize({ width, height: 844 })
    await signIn(page)
    await page.goto('/channels')
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Novidades' }) })
    const button = row.getByRole('button', { name: /eguir Novidades/ })
    const before = await button.boundingBox()
    await button.click()
    await expect(button).toHaveAccessibleName('A seguir Novidades: deixar de seguir')
    await expect(button.getByText('A seguir')).toBeVisible()
    await expect(button.getByText('Seguir', { exact: true })).toBeHidden()
    expect(await button.boundingBox(), 'place of the button').toMatchObject({ y: before!.y, width: before!.width })
    const cut = await row.getByRole('link', { name: 'Novidades' }).evaluate(({ parentElement: name }) => {
      return name!.scrollWidth > name!.clientWidth
    })
    expect(cut, 'the name is cut off').toBe(false)
  })
}

test('a publisher has a page, between its channels and the search', async ({ page, context, sininho }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sininho.url })
  const { slug, name, publisher } = await newPublisher(sininho)
  await page.goto(`/channels/${slug}/ensaios`)
  await page.getByRole('link', { name: `de ${publisher}` }).click()
  await expect(page).toHaveURL(`/channels/${slug}`)
  await expect(page.getByRole('heading', { level: 1, name: publisher })).toBeFocused()
  await expect(page).toHaveTitle(`${publisher} · Sininho`)
  await expect(page.getByText('Vozes da vila.')).toBeVisible()
  await expect(page.getByText('1 canal', { exact: true })).toBeVisible()
  const website = page.getByRole('link', { name: /^coro\.example/ })
  await expect(website).toHaveAttribute('href', 'https://coro.example/')
  await expect(website).toHaveAttribute('rel', /noopener.*nofollow/)
  await page.getByRole('button', { name: 'Partilhar' }).click()
  await expect(page.getByText('Link copiado.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${sininho.url}/channels/${slug}`)
  const latest = page.getByRole('region', { name: `Últimas de ${publisher}` }).getByRole('link')
  await expect(latest).toHaveAccessibleName(/Um estorninho\w+ no telhado/)
  await latest.click()
  await expect(page).toHaveURL(/\/ensaios\/[0-9a-f-]{36}$/)
  await page.goBack()
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: publisher })).toBeVisible()

  await page.goto(`/channels?q=${slug.slice(5)}`)
  await page.getByRole('link', { name: publisher, exact: true }).click() // in the row of the channel
  await expect(page).toHaveURL(`/channels/${slug}`)
  const missing = await page.goto('/channels/nada-disto')
  expect(missing!.status(), 'status of an unknown publisher').toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Este publicador não existe' })).toBeVisible()
  await page.getByRole('link', { name: 'Ver todos os canais' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
})

test('a visitor sees what a channel is like', async ({ page, context, sininho }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sininho.url })
  await page.setViewportSize({ width: 390, height: 844 })
  const { icon } = (await (await page.request.get('/api/v1/channels/demo/novidades')).json()) as { icon: string }
  const title = `Com imagem ${Date.now()}`
  const id = await sininho.publish(title, { more: ['--image', icon, '--link', 'https://example.com/noticia'] })
  await page.goto('/channels/demo/novidades')
  const card = page.getByRole('article').filter({ hasText: title })
  await expect(card.getByRole('link', { name: 'Abrir example.com' })).toBeVisible()
  await expect(card.getByRole('button', { name: `Ver a imagem de «${title}»` }).locator('img')).toBeVisible()
  await page.getByRole('button', { name: 'Partilhar' }).click()
  await expect(page.getByText('Link copiado.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${sininho.url}/channels/demo/novidades`)

  // in the blue of its icon
  const hue = () =>
    page.locator('[data-tinted=true]').evaluate((cover) => Number(getComputedStyle(cover).getPropertyValue('--hue')))
  await expect.poll(hue).toBeGreaterThan(205)
  expect(await hue()).toBeLessThan(245)

  await page.getByRole('button', { name: /^\d+ seguidores$/ }).click()
  const plot = page.getByRole('figure', { name: 'Seguidores por dia' })
  await expect(plot.locator('svg')).toBeVisible()
  await expect(plot.getByText(/^\+\d+ em 30 dias$/)).toBeVisible()
  await plot.getByText('Ver os números').click()
  await expect(plot.getByRole('row')).toHaveCount(32) // the head, today and 30 days
  const { subscriberCount } = (await (await page.request.get('/api/v1/channels/demo/novidades')).json()) as {
    subscriberCount: number
  }
  await expect(plot.getByRole('cell').first()).toHaveText(String(subscriberCount))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.goto(`/channels/demo/novidades/${id}`)
  await page.getByRole('link', { name: 'de Sininho' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sininho' })).toBeVisible()
})

test('the latest of a publisher are those of all its channels, newest first', async ({ page }) => {
  await page.goto('/channels/vila-nova')
  const latest = page.getByRole('region', { name: 'Últimas de Vila Nova' })
  const times = () => latest.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
  await expect(latest.getByRole('link')).toHaveCount(5)
  for (const channel of ['Tempo e avisos', 'Agenda da vila']) {
    await expect(latest.getByText(channel, { exact: true }).first()).toBeVisible()
  }
  expect(await times()).toEqual((await times()).toSorted().toReversed())
})

test('a phone leads back from a channel to the list as it was left', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const back = page.getByRole('link', { name: 'Voltar aos canais' })
  await page.goto('/channels/vila-nova/tempo')
  await back.click()
  await expect(page).toHaveURL('/channels')
  await page.getByRole('link', { name: 'Cidade', exact: true }).click()
  await page.getByRole('link', { name: 'Tempo e avisos', exact: true }).click()
  await back.click()
  await expect(page).toHaveURL('/channels?category=cidade')
  await page.goto('/channels/vila-nova/tempo')
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(back).toBeHidden()
})

/** Sums up the shifts of a page's layout from its start. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, shift) => sum + (shift as Shift).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))) // there were none
      }),
  )

for (const [size, width] of [
  ['a phone', 390],
  ['a desktop', 1280],
] as const) {
  test(`the plot of the followers is never empty and moves nothing, on ${size}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/novidades/followers**', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/channels/demo/novidades')
    await expect(page.getByRole('article').first()).toBeVisible()
    const count = page.getByText(/^\d+ seguidores$/)
    const { x, y } = (await count.boundingBox())!
    const plot = page.getByRole('figure', { name: 'Seguidores por dia' })
    await expect(plot).toHaveCount(0)
    release()
    if (width === 390) await page.getByRole('button', { name: /^\d+ seguidores$/ }).click()
    await expect(plot.locator('path').first()).toHaveAttribute('d', /^M0 \d/)
    await expect(plot.getByText(/^A escala começa em \d+\.$/)).toBeAttached()
    expect(await count.boundingBox(), 'place of the followers').toMatchObject({ x, y })
    if (width > 390) expect(await shifts(page), 'shift of the layout').toBeLessThanOrEqual(0.02)
  })
}

test.describe('in English', () => {
  test.use({ locale: 'en-US' })

  test('the categories that come with it are translated', async ({ page }) => {
    await page.goto('/channels')
    const categories = page.getByRole('navigation', { name: 'Categories' })
    await expect(categories.getByRole('link', { name: 'Transport', exact: true })).toBeVisible()
    await expect(categories.getByRole('link', { name: 'Transportes' })).toHaveCount(0)
  })
})

import { expect, follow, gotoLive, test } from './support/test.ts'

test('a reload keeps the place; an unreachable API leaves what was loaded, and what is done waits over a reload', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await follow(page)
  const time = Date.now()
  for (let number = 1; number <= 30; number++) await sininho.publish(`Número ${number} de ${time}`)
  await gotoLive(page, '/feed?channel=demo/novidades')
  const oldest = page.getByRole('button', { name: new RegExp(`Número 1 de ${time}`) })
  const newest = page.getByRole('button', { name: new RegExp(`Número 30 de ${time}`) })
  await newest.waitFor()
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(oldest).toBeVisible({ timeout: 1000 })
  }).toPass()
  await oldest.scrollIntoViewIfNeeded()
  const place = () => page.evaluate(() => Math.round(scrollY))
  const before = await place()
  expect(before).toBeGreaterThan(1000)
  await page.reload()
  await expect(oldest).toBeInViewport()
  expect(Math.abs((await place()) - before)).toBeLessThan(100)

  await context.route('**/api/**', (route) => route.abort())
  await page.evaluate(() => scrollTo(0, 0))
  await newest.click()
  const bar = page.getByRole('status').filter({ hasText: 'Sem ligação. A mostrar o que já foi carregado.' })
  await expect(bar).toBeVisible()
  const read = page.getByRole('button', { name: `Número 30 de ${time}`, exact: true })
  await expect(read).toBeVisible()
  await page.reload()
  await expect(read).toBeVisible()
  await expect(bar).toBeVisible()
  await expect(page.getByRole('link', { name: 'Preferências' })).toBeVisible()
  await context.unroute('**/api/**')
  await expect(bar).toBeHidden()
  const unread = async () => {
    const response = await page.request.get('/api/v1/subscribers/notifications?unread=true&limit=100')
    return ((await response.json()) as { data: { title: string }[] }).data.map(({ title }) => title)
  }
  await expect.poll(unread).not.toContain(`Número 30 de ${time}`)
  await expect(read).toBeVisible()
})

test('channels, publishers and notifications that were loaded are readable while the API is unreachable', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  const title = `Guardada ${Date.now()}`
  await sininho.publish(title, { body: 'Um texto que fica.' })
  const novidades = page.getByRole('link', { name: 'Novidades', exact: true })
  const shown = [
    { path: '/channels', content: novidades, kept: '["channels","list",{}]' },
    { path: '/channels/demo', content: novidades, kept: '["channels","publisher","demo"]' },
    {
      path: '/channels/demo/novidades',
      content: page.getByRole('article').filter({ hasText: title }),
      kept: '["channels","detail","demo","novidades"]',
    },
  ]
  for (const { path, content, kept } of shown) {
    await page.goto(path)
    await expect(content).toBeVisible()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('sininho.kept') ?? '')).toContain(kept)
  }
  await context.route('**/api/**', (route) => route.abort())
  for (const { path, content } of shown) {
    await page.goto(path)
    await expect(content).toBeVisible()
    await expect(page.getByRole('link', { name: 'Preferências' })).toBeVisible()
  }
  await page.getByRole('article').filter({ hasText: title }).locator('a:has(time)').press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText('Um texto que fica.')).toBeVisible()
})

test('nothing is kept of a session that has ended', async ({ page, signIn }) => {
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => /kept|queue/.test(name)))
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/feed')
  await page.getByRole('article').first().waitFor()
  await expect.poll(kept).toEqual(['sininho.kept'])
  expect((await page.request.delete('/api/v1/auth')).status()).toBe(204)
  await page.reload()
  await expect(page).toHaveURL('/login?redirect=%2Ffeed')
  expect(await kept()).toEqual([])

  await signIn(page)
  await gotoLive(page, '/feed')
  await expect.poll(kept).toEqual(['sininho.kept'])
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sair', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect.poll(kept).toEqual([])
})

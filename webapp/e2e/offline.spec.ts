import { codeLoaded, expect, follow, gotoLive, test, workerReady } from './support/test.ts'

const bar = 'Sem ligação. A mostrar o que já foi carregado.'

test('offline, loaded data stays and actions wait; online again, they are carried out and the rest loads', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  const time = Date.now()
  const [first, second] = [`Primeira ${time}`, `Segunda ${time}`] as const
  await sininho.publish(first)
  await sininho.publish(second)
  await gotoLive(page, '/feed')
  const unread = (title: string) => page.getByRole('button', { name: `Por ler: ${title}` })
  await expect(unread(first)).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

  await workerReady(page)
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: bar })).toBeVisible()
  await unread(first).click()
  await expect(unread(first)).toBeHidden()
  await expect(page.getByRole('button', { name: first, exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  const card = page.getByRole('article').filter({ hasText: second })
  await card.getByRole('button', { name: 'Opções' }).click()
  await page.getByRole('menuitem', { name: 'Arquivar' }).click()
  await expect(card).toBeHidden()

  const meanwhile = `Entretanto ${time}`
  await sininho.publish(meanwhile)
  await context.setOffline(false)
  await expect(page.getByText(bar)).toBeHidden()
  await expect(unread(meanwhile)).toBeVisible()
  const feed = async (query: string) => {
    const response = await page.request.get(`/api/v1/subscribers/notifications?${query}`)
    return ((await response.json()) as { data: { title: string }[] }).data.map(({ title }) => title)
  }
  await expect.poll(() => feed('archived=true')).toContain(second)
  await expect.poll(() => feed('unread=true')).not.toContain(first)
  await expect(card).toBeHidden()
  const after = `Depois ${time}`
  await sininho.publish(after)
  await expect(unread(after)).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
})

test('a screen without data says so, and loads once there is a connection', async ({ page, context }) => {
  await page.goto('/')
  const link = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Canais' })
  await link.hover() // loads the screen's code, but not its data
  await codeLoaded(page, /\/assets\/channels-.*\.js$/)
  await page.route('**/api/v1/channels?*', (route) => route.abort())
  await workerReady(page)
  await context.setOffline(true)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: bar })).toBeVisible()
  await page.unroute('**/api/v1/channels?*')
  await context.setOffline(false)
  await expect(page.getByRole('link', { name: 'Seguir Novidades' })).toBeVisible()
})

test('unopened screens say so too, and load by themselves', async ({ page, context, signIn }) => {
  await signIn(page)
  await gotoLive(page, '/feed')
  await codeLoaded(page, /\/assets\/Profile-.*\.js$/) // while idle
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  await workerReady(page)
  await context.setOffline(true)
  await expect(page.getByText(bar)).toBeVisible()
  const link = (name: string) => page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name })
  await link('Preferências').click()
  await expect(page).toHaveURL('/settings')
  await expect(page.getByText('Assim que a ligação voltar, isto carrega sozinho.').first()).toBeVisible()
  await link('Notificações').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notificações' })).toBeVisible()
  await link('Preferências').click()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Preferências' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Nome' })).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
})

test('the first screen is available offline, from another screen', async ({ page, context }) => {
  await page.goto('/channels')
  await codeLoaded(page, /\/assets\/-?below-.*\.js$/)
  await workerReady(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Início' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Siga o que importa/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tem algo para dizer?' })).toBeVisible()
  await expect(page.getByText('Assim que a ligação voltar, isto carrega sozinho.').first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first()).toBeVisible()
})

test('leads to sign-in if the session ended while offline', async ({ page, context, signIn }) => {
  await signIn(page)
  await gotoLive(page, '/feed')
  await workerReady(page)
  await context.setOffline(true)
  await expect(page.getByText(bar)).toBeVisible()
  expect((await context.request.delete('/api/v1/auth')).status()).toBe(204)
  await context.setOffline(false)
  await expect(page).toHaveURL('/login?redirect=%2Ffeed')
})

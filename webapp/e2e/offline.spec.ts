import { codeLoaded, expect, follow, gotoLive, test } from './support/test.ts'

const bar = 'Sem ligação. A mostrar o que já foi carregado.'

test('offline, loaded data stays and actions fail with a message; online again, the rest loads by itself', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  const before = `Antes ${Date.now()}`
  await sininho.publish(before)
  await gotoLive(page, '/feed')
  const unread = page.getByRole('button', { name: `Por ler: ${before}` })
  await expect(unread).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: bar })).toBeVisible()
  await expect(unread).toBeVisible()
  await unread.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Algo Correu mal!' })
  await expect(toast).toContainText('Não foi possível chegar ao servidor. Verifique a sua ligação e tente novamente.')
  await expect(unread).toBeVisible() // reverted, not shown as done

  const meanwhile = `Entretanto ${Date.now()}`
  await sininho.publish(meanwhile)
  await context.setOffline(false)
  await expect(page.getByText(bar)).toBeHidden()
  await expect(page.getByRole('button', { name: `Por ler: ${meanwhile}` })).toBeVisible()
  const after = `Depois ${Date.now()}`
  await sininho.publish(after)
  await expect(page.getByRole('button', { name: `Por ler: ${after}` })).toBeVisible()
  await unread.click()
  await expect(page.getByRole('button', { name: before, exact: true })).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
})

test('a screen without data says so, and loads once there is a connection', async ({ page, context }) => {
  await page.goto('/')
  const link = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Canais' })
  await link.hover() // loads the screen's code, but not its data
  await codeLoaded(page, /\/assets\/channels-.*\.js$/)
  await page.route('**/api/v1/channels?*', (route) => route.abort())
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
  await codeLoaded(page, /\/assets\/settings-.*\.js$/) // while idle
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
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
  await context.setOffline(true)
  await expect(page.getByText(bar)).toBeVisible()
  expect((await context.request.delete('/api/v1/auth')).status()).toBe(204)
  await context.setOffline(false)
  await expect(page).toHaveURL('/login?redirect=%2Ffeed')
})

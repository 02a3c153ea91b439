import { type APIRequestContext, type Page, request } from '@playwright/test'
import { expect, follow, gotoLive, test } from './support/test.ts'

/** Ends the page's session by another client, without notifying the page. */
async function endElsewhere(page: Page, baseURL: string | undefined) {
  const elsewhere: APIRequestContext = await request.newContext({
    baseURL,
    storageState: await page.context().storageState(),
  })
  expect((await elsewhere.delete('/api/v1/auth')).status()).toBe(204)
  await elsewhere.dispose()
}

/** Signs in on Google's page with the same account. */
async function signInAgain(page: Page, email: string) {
  await page.getByRole('link', { name: 'Continuar com o Google' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
}

const emailOf = async (page: Page) =>
  ((await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }).email

test('a session that ends leads to sign-in, and back to the same screen', async ({ page, baseURL, signIn }) => {
  await signIn(page)
  await follow(page)
  const email = await emailOf(page)
  await gotoLive(page, '/feed?channel=demo/novidades')
  await endElsewhere(page, baseURL)
  await expect(page.getByRole('heading', { level: 1, name: 'Entrar no Sininho' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('redirect')).toMatch(/^\/feed\?channel=demo(\/|%2F)novidades$/)
  await expect(page.getByText('A sua sessão terminou. Entre novamente para voltar aonde estava.')).toBeVisible()

  await signInAgain(page, email)
  await expect(page.getByRole('heading', { level: 1, name: 'Novidades' })).toBeVisible()
  await expect(page).toHaveURL(/\/feed\?channel=demo(\/|%2F)novidades$/)
})

test('typed text survives the end of the session and the next sign-in', async ({ page, baseURL, signIn }) => {
  await signIn(page)
  const email = await emailOf(page)
  await gotoLive(page, '/settings')
  const name = page.getByRole('form', { name: 'Dados do perfil' }).getByRole('textbox', { name: 'Nome' })
  await name.fill('Ana de Outro Nome')
  await endElsewhere(page, baseURL)
  await expect(page).toHaveURL('/login?redirect=%2Fsettings')
  await signInAgain(page, email)
  await expect(page.getByRole('heading', { level: 1, name: 'Preferências' })).toBeVisible()
  await expect(name).toHaveValue('Ana de Outro Nome')
})

test('an action reports that the session has ended, also on a public page', async ({ page, baseURL, signIn }) => {
  await signIn(page)
  // no stream or refetch may notice it first
  await page.route('**/api/v1/subscribers/**', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.goto('/channels/demo/novidades')
  const button = page.getByRole('button', { name: 'Seguir Novidades' })
  await expect(button).toBeVisible()
  await endElsewhere(page, baseURL)
  await button.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Não foi possível seguir o canal.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receber Novidades' })).toBeVisible() // as a visitor's
})

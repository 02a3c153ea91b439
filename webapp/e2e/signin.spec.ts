import type { Page } from '@playwright/test'
import { links } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

/** Asks for a code on the page for signing in. */
async function askForCode(page: Page, email: string, path = '/login') {
  await page.goto(path)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Receber um código' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Escreva o código' })).toBeVisible()
}

const emailOf = async (page: Page) =>
  ((await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }).email

test('by the code of an email, which is typed again after a mistake', async ({ page, sininho }, info) => {
  const email = `${info.testId}@example.com`
  await askForCode(page, email, '/login?redirect=/channels')
  const code = await sininho.code(email)
  await page.getByLabel('Código de 8 algarismos').fill(code === '0000 0000' ? '1111 1111' : '0000 0000')
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page.getByText(/Não é o código do último e-mail; pode tentar mais 4 vezes/).first()).toBeVisible()
  await page.getByLabel('Código de 8 algarismos').fill(code)
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/channels')
  expect(await emailOf(page)).toBe(email)
})

test('by the link of an email, in the browser that asked and in no other', async ({ page, browser, sininho }, info) => {
  const email = `${info.testId}@example.com`
  await askForCode(page, email)
  const link = links(await sininho.mail(email))[0]!
  const other = await (await browser.newContext({ baseURL: sininho.url })).newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { level: 1, name: 'Este código não serve aqui' })).toBeVisible()
  await other.context().close()
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  expect(await emailOf(page)).toBe(email)
})

test('at another provider with a known address, only after adding it', async ({ page, signIn }) => {
  await signIn(page)
  const email = await emailOf(page)
  await page.request.delete('/api/v1/auth')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Continuar com a conta Acme' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByRole('alert')).toContainText('Já há uma conta com este endereço de e-mail.')
  expect((await page.request.get('/api/v1/subscribers/me')).status()).toBe(401)

  await page.getByRole('link', { name: 'Continuar com o Google' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
  const ways = page.getByRole('region', { name: 'Formas de entrar' })
  await ways.getByRole('button', { name: 'Adicionar forma de entrar' }).press('Enter')
  await ways.getByRole('menuitem', { name: 'Acme' }).press('Enter')
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(ways.getByRole('listitem')).toHaveCount(2)

  await page.request.delete('/api/v1/auth')
  await page.goto('/login?redirect=/settings/security')
  await page.getByRole('link', { name: 'Continuar com a conta Acme' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await ways.getByRole('button', { name: `Remover Google: ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click()
  await expect(ways.getByRole('listitem')).toHaveCount(1)
  await expect(ways.getByRole('button', { name: /^Remover/ })).toHaveCount(0)
})

test('an address is added by its code', async ({ page, sininho, signIn }, info) => {
  await signIn(page, { to: '/settings/security' })
  const email = `mais-${info.testId}@example.com`
  const ways = page.getByRole('region', { name: 'Formas de entrar' })
  await ways.getByRole('button', { name: 'Adicionar forma de entrar' }).click()
  await ways.getByRole('menuitem', { name: 'E-mail' }).click()
  await ways.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await ways.getByRole('button', { name: 'Enviar código' }).click()
  await page.getByLabel('Código de 8 algarismos').fill(await sininho.code(email))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(ways.getByText(email)).toBeVisible()
  await expect(page).toHaveURL(/\/settings\/security$/)
})

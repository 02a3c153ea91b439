import type { Page } from '@playwright/test'
import { axeFaults } from './support/axe.ts'
import { Authenticator } from './support/authenticator.ts'
import { expect, follow, test } from './support/test.ts'

// without accounts elsewhere, a mail server, or an operator
test.use({ settings: { SIGN_IN: 'passkey', SMTP_URL: '', MAIL_FROM: '', OPERATOR_EMAILS: '' } })

/** Signs a new person up on the page for signing in. */
async function signUp(page: Page, name: string, leadsTo = 'O que lhe interessa?') {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Criar conta com uma chave de acesso' }).click()
  await page.getByLabel('O seu nome').fill(name)
  await page.getByRole('button', { name: 'Criar chave de acesso' }).click()
  await expect(page.getByRole('heading', { level: 1, name: leadsTo })).toBeVisible()
}

async function onboard(page: Page) {
  const done = await page.request.put('/api/v1/subscribers/onboarding', { data: { step: 'done' } })
  expect(done.status(), await done.text()).toBe(200)
}

async function signOut(page: Page) {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page.getByRole('link', { name: 'Entrar' }).first()).toBeVisible()
}

const me = async (page: Page) =>
  (await (await page.request.get('/api/v1/subscribers/me')).json()) as { name: string; email?: string }

/** Follows a channel in this browser, without an account. */
async function followWithoutAccount(page: Page) {
  const begun = await page.request.post('/api/v1/auth/anonymous')
  expect(begun.ok(), await begun.text()).toBe(true)
  await follow(page)
}

async function expectSaved(page: Page, name: string) {
  expect(await me(page)).toMatchObject({ name, anonymous: false })
  const followed = await page.request.get('/api/v1/subscribers/channels')
  expect(await followed.json()).toMatchObject({ meta: { total: 1 } })
}

test('an account without an email address, from its first passkey to the last', async ({ page }) => {
  const first = await Authenticator.of(page)
  await signUp(page, 'Ana Lopes')
  expect(await me(page)).toMatchObject({ name: 'Ana Lopes' })
  expect((await me(page)).email).toBeUndefined()
  expect(await first.count()).toBe(1)
  await onboard(page)

  await signOut(page)
  await page.goto('/login?redirect=/settings/security')
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  const keys = page.getByRole('region', { name: 'Chaves de acesso' })
  await expect(keys.getByRole('listitem')).toHaveCount(1)
  await expect(keys.getByRole('button', { name: /^Remover/ })).toHaveCount(0) // the only way in

  await keys.getByRole('button', { name: 'Adicionar chave de acesso' }).click()
  await expect(keys.getByText('Este dispositivo já tem uma chave desta conta.')).toBeVisible()
  const second = await first.replace()
  await keys.getByRole('button', { name: 'Adicionar chave de acesso' }).click()
  await expect(keys.getByRole('listitem')).toHaveCount(2)
  expect(await second.count()).toBe(1)

  await keys.getByRole('listitem').last().getByRole('button', { name: 'Mudar o nome' }).click()
  await keys.getByLabel('Novo nome').fill('Chave azul')
  await keys.getByRole('button', { name: 'Guardar' }).click()
  await expect(keys.getByRole('listitem').last()).toContainText('Chave azul')
  expect(await axeFaults(page)).toEqual([])
  await keys
    .getByRole('listitem')
    .first()
    .getByRole('button', { name: /^Remover/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click()
  await expect(keys.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(keys.getByRole('listitem')).toContainText('Chave azul')

  await signOut(page)
  await page.goto('/login?redirect=/settings/security')
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  await expect(keys.getByRole('listitem')).toContainText('Chave azul')
})

test('no account for who gives no PIN, and a word about it', async ({ page }) => {
  const authenticator = await Authenticator.of(page)
  await signUp(page, 'Rui')
  await signOut(page)
  await page.goto('/login')
  await authenticator.verify(false)
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  await expect(page.getByRole('alert')).toContainText('Não usou nenhuma chave.')
  expect(await axeFaults(page)).toEqual([])
  await authenticator.verify(true)
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
})

test('a passkey that was removed, or is of nobody here', async ({ page }) => {
  await Authenticator.of(page)
  await signUp(page, 'Eva')
  await page.request.delete('/api/v1/subscribers/me')
  await page.goto('/login')
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  await expect(page.getByText('Esta chave já não pertence a nenhuma conta.')).toBeVisible()
})

test('the first operator comes in by the link that the server prints, once', async ({ page, browser, sininho }) => {
  const link = () => sininho.logged(/http:\/\/localhost:\d+\/login\/operator#sno_live_\w+/)
  await expect.poll(link).toBeDefined()
  await Authenticator.of(page)
  await page.goto(link()!)
  await expect(page.getByRole('heading', { level: 1, name: 'Gerir esta instalação' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('O seu nome').fill('Marta')
  await page.getByRole('button', { name: 'Criar chave de acesso' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
  await onboard(page)
  await page.goto('/admin')
  await expect(page.getByRole('navigation', { name: 'Administração' })).toBeVisible()

  const late = await (await browser.newContext({ baseURL: sininho.url, locale: 'pt-PT' })).newPage()
  await Authenticator.of(late)
  await late.goto(link()!)
  await late.getByLabel('O seu nome').fill('Outra pessoa')
  await late.getByRole('button', { name: 'Criar chave de acesso' }).click()
  await expect(late.getByText('Não foi possível criar a conta.').first()).toBeVisible()
  expect((await late.request.get('/api/v1/subscribers/me')).status()).toBe(401)
  await late.goto('/login/operator')
  await expect(late.getByRole('heading', { level: 1, name: 'Esta ligação não serve' })).toBeVisible()
  await late.context().close()
})

test('what somebody follows without an account is saved by a passkey, in an old account or a new one', async ({
  page,
}) => {
  const authenticator = await Authenticator.of(page)
  await signUp(page, 'Rita Reis')
  await onboard(page)
  await signOut(page)
  await followWithoutAccount(page)
  await page.goto('/login?redirect=/feed')
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click()
  await expect(page).toHaveURL('/feed')
  await expectSaved(page, 'Rita Reis')

  await signOut(page)
  await authenticator.replace()
  await followWithoutAccount(page)
  await signUp(page, 'Rui Reis', 'Notificações')
  await expectSaved(page, 'Rui Reis')
})

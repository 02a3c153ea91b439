import type { Page } from '@playwright/test'
import { links } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Signs in on Google's page. */
async function signInWithGoogle(page: Page, email: string) {
  await page.getByRole('link', { name: 'Continuar com o Google' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
}

test('the link in the email leads a visitor through sign-in and onboarding to the invitation', async ({
  page,
  sininho,
}) => {
  const email = `${crypto.randomUUID()}@example.com`
  const slug = await sininho.invite(email)
  const sent = await sininho.mail(email)
  expect(sent.subject).toBe(`Convite para participar em «${slug}» no Sininho`)
  await page.goto(links(sent)[0]!)
  await expect(title(page, 'Entrar no Sininho')).toBeVisible()
  await signInWithGoogle(page, email.toUpperCase())
  await page.getByRole('button', { name: 'Saltar tudo' }).click()
  await expect(title(page, 'Convites')).toBeVisible()
  await expect(page.getByText('Convite de Rui Costa para publicar e gerir os canais.')).toBeVisible()
  await page.getByRole('button', { name: 'Aceitar o convite de Rádio da Vila' }).click()
  await expect(page.getByRole('heading', { name: 'Já participa em Rádio da Vila' })).toBeVisible()
  await expect(title(page, 'Convites')).toBeFocused()
  const publishers = await page.request.get('/api/v1/publishers?mine=true')
  expect(await publishers.json()).toMatchObject({ data: [{ slug, role: 'editor' }] })
})

test('an invitation is accepted in the preferences, where its publisher then is', async ({ page, sininho, signIn }) => {
  await signIn(page)
  const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
  await sininho.invite(email)
  await page.goto('/settings/publishing')
  await expect(page.getByText('Tem algo para anunciar?')).toBeVisible()
  await expect(page.getByText('Convite de Rui Costa para publicar e gerir os canais.')).toBeVisible()
  await page.getByRole('button', { name: 'Aceitar o convite de Rádio da Vila' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Rádio da Vila' })).toContainText('Pode publicar')
  await expect(page.getByText('Tem algo para anunciar?')).toHaveCount(0)
})

test('the feed leads to an invitation, which is declined by keyboard', async ({ page, sininho, signIn }) => {
  await signIn(page)
  const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
  await sininho.invite(email, { role: 'owner' })
  await page.goto('/feed')
  await page.getByRole('link', { name: 'Tem um convite à espera' }).press('Enter')
  await expect(page.getByText(/para ser responsável/)).toBeVisible()
  await page.getByRole('button', { name: 'Recusar o convite de Rádio da Vila' }).press('Enter')
  await expect(page.getByText('Não tem convites à espera')).toBeVisible()
  await expect(page.getByText(`Entrou como ${email}.`)).toBeVisible()
  await page.goto('/feed')
  await expect(title(page, 'Notificações')).toBeVisible()
  await expect(page.getByRole('link', { name: /convite/ })).toHaveCount(0)
})

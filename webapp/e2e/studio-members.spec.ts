import type { Locator } from '@playwright/test'
import { studio } from './screens/data/studio.ts'
import { sizes } from './screens.ts'
import { expect, test } from './support/test.ts'

test.use({ viewport: sizes.phone })

/** Takes the link of a new invitation, which is shown once. */
async function keptLink(invitations: Locator) {
  const link = await invitations.getByText(/\/join#/).textContent()
  await invitations.getByRole('button', { name: 'Já o copiei' }).click()
  return link!
}

test('a link lets somebody into a private channel, who is seen by name and removed', async ({
  page,
  signIn,
  browser,
  sininho,
}) => {
  await signIn(page)
  const example = await studio(page, sininho)
  const channel = `/api/v1/channels/${example.replace('/studio/', '')}`
  await page.request.patch(channel, { data: { visibility: 'private' } })
  await page.goto(example)
  await page.getByRole('link', { name: 'Membros' }).click()
  const invitations = page.getByRole('region', { name: 'Convites' })
  const create = async (approval: boolean) => {
    await invitations.getByRole('button', { name: 'Criar um link' }).click()
    await invitations.getByRole('textbox', { name: 'Quantas pessoas o podem usar' }).fill('1')
    if (approval) await invitations.getByRole('switch', { name: 'Aprovar cada pessoa' }).check()
    await invitations.getByRole('button', { name: 'Criar convite' }).click()
    return keptLink(invitations)
  }
  const join = async (link: string, action: string) => {
    const other = await browser.newPage({ baseURL: sininho.url })
    const { email, name } = sininho.person()
    await other.request.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`)
    await other.request.patch('/api/v1/subscribers/me', { data: { name: `${name} Teste` } })
    await other.goto(link)
    await other.getByRole('button', { name: action }).click()
    return { other, name: `${name} Teste` }
  }
  const first = await join(await create(false), 'Entrar no canal')
  await expect(first.other.getByRole('heading', { level: 1, name: 'Ensaios' })).toBeVisible()
  await page.reload()
  const members = page.getByRole('region', { name: 'Estão no canal' })
  await expect(members.getByRole('listitem')).toContainText(first.name)
  await expect(invitations.getByRole('listitem')).toContainText('usado 1 de 1 vez')
  await members.getByRole('button', { name: `Retirar ${first.name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
  await expect(members.getByText('Ainda ninguém.')).toBeVisible()
  await expect(first.other.getByText('Este canal não existe')).toBeVisible()

  const second = await join(await create(true), 'Pedir para entrar')
  await expect(second.other.getByText('À espera de aprovação')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: `Aceitar ${second.name}` }).click()
  await expect(members.getByRole('listitem')).toContainText(second.name)

  await invitations.getByRole('button', { name: 'Convidar por e-mail' }).click()
  const { email } = sininho.person()
  await invitations.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await invitations.getByRole('button', { name: 'Criar convite' }).click()
  expect((await sininho.mail(email)).text).toContain('/join#')
  await keptLink(invitations)
  await invitations.getByRole('button', { name: `Anular o convite ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Anular' }).click()
  await expect(invitations.getByText(email)).toHaveCount(0)
  await Promise.all([first.other.close(), second.other.close()])
})

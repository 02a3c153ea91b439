import type { Page } from '@playwright/test'
import { sizes } from './screens.ts'
import { studio as arranged } from './screens/data/studio.ts'
import { expect, signInElsewhere, test } from './support/test.ts'

test.use({ viewport: sizes.phone })

const field = (page: Page) => page.getByRole('textbox', { name: 'O que quer dizer?' })
const drafts = (page: Page) => page.getByRole('region', { name: 'Rascunhos' })
const write = (page: Page) => page.getByRole('link', { name: 'Escrever', exact: true }).click()

test('what is begun on one device is gone on with on another, and published', async ({ page, signIn, sininho }) => {
  await signIn(page)
  const path = await arranged(page, sininho)
  await page.goto(path)
  await write(page)
  await field(page).pressSequentially('Ensaio na quinta')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/write\?draft=/)
  await expect(field(page)).toBeFocused()
  await page.reload()
  await expect(field(page)).toHaveValue('Ensaio na quinta')

  const elsewhere = await signInElsewhere(page, 'Outro navegador')
  const other = await elsewhere.newPage()
  await other.goto(path)
  await drafts(other).getByRole('link', { name: 'Continuar' }).click()
  await expect(field(other)).toHaveValue('Ensaio na quinta')
  await field(other).fill('Ensaio na quinta às 21h')
  await other.getByRole('link', { name: 'Ensaios' }).click() // leaving saves, too
  await expect(drafts(other).getByText('Ensaio na quinta às 21h')).toBeVisible()

  await field(page).fill('Ensaio na sexta')
  await expect(page.getByText(/mudou noutro dispositivo/)).toBeVisible()
  await page.getByRole('link', { name: 'Ensaios' }).click()
  await expect(drafts(page).getByRole('listitem')).toHaveCount(2)
  const first = drafts(page).getByRole('listitem').filter({ hasText: 'Ensaio na quinta às 21h' })
  await first.getByRole('link', { name: 'Continuar' }).click()
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(page.getByText(/^Sai dentro de \d+ s$/)).toBeVisible()
  await expect(drafts(page).getByRole('listitem')).toHaveCount(1)
  await drafts(page).getByRole('button', { name: 'Apagar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
  await expect(drafts(page)).toHaveCount(0)
  await elsewhere.close()
})

test('a draft is nobody else’s, a member of the same publisher included', async ({
  page,
  signIn,
  sininho,
  browser,
}) => {
  await signIn(page)
  const path = await arranged(page, sininho)
  const [, , slug] = path.split('/')
  const channel = `/api/v1/channels/${slug}/ensaios`
  await page.request.post(`${channel}/drafts`, { data: { content: { title: 'Só meu' } } })
  const { email } = sininho.person()
  await page.request.post(`/api/v1/publishers/${slug}/invitations`, { data: { email, role: 'editor' } })
  const other = await browser.newPage({ baseURL: sininho.url })
  await other.request.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`)
  await other.goto('/invitations')
  await other.getByRole('button', { name: /^Aceitar o convite/ }).click()
  await expect(other.getByRole('button', { name: /^Aceitar o convite/ })).toHaveCount(0)
  await other.goto(path)
  await expect(other.getByRole('heading', { name: 'Publicadas' })).toBeVisible()
  const found = await other.request.get(`${channel}/drafts`)
  expect(await found.json()).toMatchObject({ meta: { total: 0 } })
  await other.close()
})

test('a draft that cannot be saved says so, and is saved when the server is back', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  await page.goto(`${await arranged(page, sininho)}/write`)
  await page.route('**/drafts', (route) => route.fulfill({ status: 503 }), { times: 4 })
  await field(page).fill('Aviso importante')
  await expect(page.getByText(/^Não está guardado\./)).toBeVisible()
  await expect(field(page)).toHaveValue('Aviso importante')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
})

test('what is often said is kept as a template, which asks for its fields', async ({ page, signIn, sininho }) => {
  await signIn(page)
  await page.goto(await arranged(page, sininho))
  await write(page)
  await field(page).fill('Falta a água na {{rua}}\nDas {{das}} às {{às}}, por obras.')
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await page.getByRole('menuitem', { name: 'Guardar como modelo' }).click()
  await page.getByRole('textbox', { name: 'Nome do modelo' }).fill('Água')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('O modelo está guardado.')).toBeVisible()
  await field(page).fill('')
  await page.getByRole('link', { name: 'Ensaios' }).click()
  const templates = page.getByRole('region', { name: 'Modelos' })
  await expect(templates).toContainText('Pergunta: rua, das, às')
  await expect(drafts(page)).toHaveCount(0)
  await templates.getByRole('button', { name: 'Opções de «Água»' }).click()
  await page.getByRole('menuitem', { name: 'Mudar o nome' }).click()
  await page.getByRole('textbox', { name: 'Nome do modelo' }).fill('Falta a água')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()

  await write(page)
  await page.getByRole('button', { name: 'Falta a água' }).click()
  const dialog = page.getByRole('dialog', { name: 'Falta a água' })
  await dialog.getByRole('textbox', { name: 'rua' }).fill('Rua Direita')
  await dialog.getByRole('textbox', { name: 'das', exact: true }).fill('9')
  await dialog.getByRole('textbox', { name: 'às' }).fill('12')
  await dialog.getByRole('button', { name: 'Usar' }).click()
  await expect(field(page)).toHaveValue('Falta a água na Rua Direita\nDas 9 às 12, por obras.')
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(page.getByText(/^Sai dentro de \d+ s$/)).toBeVisible()
  await templates.getByRole('button', { name: 'Opções de «Falta a água»' }).click()
  await page.getByRole('menuitem', { name: 'Apagar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
  await expect(templates).toHaveCount(0)
})

test('what is written repeats on its days, is found in the month, is skipped once, and ends', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  await page.goto(await arranged(page, sininho))
  await write(page)
  await field(page).fill('Ementa da semana')
  await page.getByRole('button', { name: 'Mais opções' }).click()
  await page.getByRole('menuitem', { name: 'Repetir' }).click()
  const dialog = page.getByRole('dialog', { name: 'Repetir' })
  await dialog.getByText('sexta', { exact: true }).click()
  await dialog.getByLabel('Hora').fill('17:00')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  const repeating = page.getByRole('region', { name: 'O que se repete' })
  await expect(repeating.getByText('Às sextas, às 17:00')).toBeVisible()
  await expect(drafts(page)).toHaveCount(0)

  const next = repeating.getByText(/^A seguir: /)
  const before = (await next.textContent())!
  await repeating.getByRole('button', { name: 'Opções de «Ementa da semana»' }).click()
  await page.getByRole('menuitem', { name: 'Saltar a próxima' }).click()
  await expect(next).not.toHaveText(before)
  await page.getByRole('link', { name: 'Ver o mês' }).click()
  await page.getByRole('button', { name: 'Mês seguinte' }).click()
  await page.getByRole('button', { name: 'Mês seguinte' }).click()
  await page
    .getByRole('button', { name: /: 1 notificação$/ })
    .first()
    .click()
  await expect(page.getByText('Às sextas, às 17:00')).toBeVisible()
  await page.getByRole('button', { name: 'Opções de «Ementa da semana»' }).click()
  await page.getByRole('menuitem', { name: 'Deixar de repetir' }).click()
  await expect(page.getByText('Nada sai neste mês.')).toBeVisible()
  await page.getByRole('link', { name: 'Ensaios' }).click()
  await expect(page.getByRole('region', { name: 'Modelos' })).toContainText('Ementa da semana')
})

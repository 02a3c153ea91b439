import { expect, test } from './support/test.ts'

test.use({ settings: { PUBLISHERS: 'request' } })

test('a person asks to publish with the keyboard, is refused, asks again, and begins a channel once approved', async ({
  page,
  browser,
  sininho,
  signIn,
}) => {
  const operator = await browser.newPage({ baseURL: sininho.url })
  await operator.request.get('/api/v1/auth/google?login_hint=operador@example.com')
  await operator.request.put('/api/v1/subscribers/onboarding', { data: { step: 'done' } })

  await signIn(page, { to: '/studio' })
  await page.getByRole('textbox', { name: 'Quem publica' }).focus()
  await page.keyboard.type('Demo')
  await expect(page.getByText('Este endereço já existe. Experimente outro.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Quem publica' }).fill('Escola da Ponte')
  await expect(page.getByText(/\/channels\/escola-da-ponte$/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Para quê?' }).focus()
  await page.keyboard.type('Avisos aos pais')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('O pedido está a ser visto')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await operator.goto('/admin')
  await operator.getByRole('link', { name: 'Pedidos' }).click()
  const asked = operator.getByRole('listitem').filter({ hasText: 'Escola da Ponte' })
  await expect(asked).toContainText('Avisos aos pais')
  await asked.getByRole('button', { name: 'Recusar Escola da Ponte' }).click()
  await operator.getByRole('textbox', { name: 'Motivo' }).fill('Diga-nos de que escola.')
  await operator.getByRole('dialog').getByRole('button', { name: 'Recusar' }).click()
  await expect(asked).toHaveCount(0)

  await page.reload()
  await expect(page.getByText(/A resposta: «Diga-nos de que escola.»/)).toBeVisible()
  await page.getByRole('button', { name: 'Pedir de novo' }).click()
  await page.getByRole('textbox', { name: 'Para quê?' }).fill('Avisos aos pais, em Vila das Aves')
  await page.getByRole('button', { name: 'Enviar o pedido' }).click()
  await expect(page.getByText('O pedido está a ser visto')).toBeVisible()

  await operator.reload()
  await asked.getByRole('button', { name: 'Aprovar Escola da Ponte' }).click()
  await expect(operator.getByText('Não há pedidos por ver.')).toBeVisible()

  await page.goto('/new')
  await page.getByRole('textbox', { name: 'Nome do canal' }).fill('Avisos')
  await page.getByRole('combobox', { name: 'Categoria' }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Criar canal' }).click()
  await expect(page.getByText('O canal está pronto.')).toBeVisible()
  await expect(page).toHaveURL(/\/studio\/escola-da-ponte\/avisos$/)
  await operator.close()
})

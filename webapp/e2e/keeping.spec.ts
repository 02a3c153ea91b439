import { keeping } from './screens/data/studio.ts'
import { expect, test } from './support/test.ts'

test('an owner lets a channel keep less, and others see nothing of it', async ({ page, signIn, browser, sininho }) => {
  await signIn(page)
  await keeping(page, sininho)
  await page.getByRole('textbox', { name: 'Dias' }).fill('30')
  await page.getByRole('textbox', { name: 'Número de notificações' }).fill('1.000')
  await page.getByRole('form', { name: 'Conservação' }).getByRole('button', { name: 'Guardar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reduzir' }).click()
  await expect(page.getByText('Conservação guardada.')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Conservação' }).click()
  await expect(page.getByRole('textbox', { name: 'Dias' })).toHaveValue('30')
  await expect(page.getByRole('textbox', { name: 'Número de notificações' })).toHaveValue('1000')

  const other = await browser.newPage({ baseURL: sininho.url })
  await other.request.get(`/api/v1/auth/google?login_hint=${crypto.randomUUID()}@example.com`)
  await other.goto(page.url())
  await expect(other.getByRole('heading', { name: 'Você Está Perdido??' })).toBeVisible()
  await other.close()
})

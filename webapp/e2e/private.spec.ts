import { expect, gotoLive, test } from './support/test.ts'

test('a private channel: the link leads a visitor through sign-in into it, strangers find nothing, and who is removed loses it', async ({
  page,
  browser,
  context,
  sininho,
  signIn,
}, info) => {
  const { owner, path, url } = await sininho.privateChannel()
  const secret = new URL(url).hash.slice(1)
  const asked: string[] = []
  context.on('request', (request) => void asked.push(request.url()))
  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1, name: 'Turno da noite' })).toBeVisible()
  await expect(page).toHaveURL('/join')
  await expect(page.getByText(/^Se entrar, a equipa de Hospital da Colina vê o seu nome/)).toBeVisible()
  await page.getByRole('link', { name: 'Entrar no Sininho' }).click()

  const email = `${info.testId}@example.com`
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Receber um código' }).click()
  await page.getByLabel('Código de 8 algarismos').fill(await sininho.code(email))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page).toHaveURL('/join')
  await page.getByRole('button', { name: 'Entrar no canal' }).click()
  await expect(page).toHaveURL(`/${path}`)
  await expect(page.getByText('Privado', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sino de Turno da noite/ })).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: 'Troca de turno' })).toBeVisible()
  expect(asked.filter((address) => address.includes(secret))).toEqual([])

  const stranger = await browser.newContext({ baseURL: sininho.url })
  const other = await stranger.newPage()
  await signIn(other)
  await other.goto(`/${path}`)
  await expect(other.getByText('Este canal não existe')).toBeVisible()
  await expect(other.getByText('Turno da noite')).toHaveCount(0)
  await stranger.close()

  await gotoLive(page, `/${path}`)
  await expect(page.getByRole('article').filter({ hasText: 'Troca de turno' })).toBeVisible()
  const kept = () => page.evaluate(() => localStorage.getItem('sininho.kept'))
  await expect.poll(kept).toContain('Troca de turno')
  const { data } = (await (await owner.get(`${path}/members`)).json()) as { data: { id: string }[] }
  expect((await owner.delete(`${path}/members/${data[0]!.id}`)).status()).toBe(204)
  await expect(page.getByText('Este canal não existe')).toBeVisible()
  await expect.poll(kept).not.toMatch(/Troca de turno|Turno da noite/)
  await owner.dispose()
})

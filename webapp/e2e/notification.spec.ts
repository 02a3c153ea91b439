import { expect, test } from './support/test.ts'

test('the page of a notification leads a visitor to its channel, and to more of it', async ({ page, sininho }) => {
  const channel = await sininho.createChannel('mais')
  for (const at of [1, 2, 3, 4]) await sininho.publish(`Aviso ${at}`, { channel, body: `Texto ${at}.` })
  const id = await sininho.publish('Aviso 5', { channel })
  await page.goto(`/channels/${channel}/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Aviso 5' })).toBeVisible()
  const when = page.getByRole('article').getByRole('time')
  await expect(when).toHaveText(/^(agora|há \d+ min)$/)
  await expect(when).toHaveAttribute('title', /de \d{4}/)

  const more = page.getByRole('region', { name: 'Mais de mais' })
  await expect(more.getByRole('listitem')).toHaveText([/^Aviso 4/, /^Aviso 3/, /^Aviso 2/])
  await more.getByRole('link', { name: /^Aviso 3/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Aviso 3' })).toBeVisible()
  await expect(more.getByRole('listitem')).toHaveText([/^Aviso 5/, /^Aviso 4/, /^Aviso 2/])

  await page.getByRole('link', { name: 'Voltar a mais' }).click()
  await expect(page).toHaveURL(`/channels/${channel}`)
  await page.goBack()
  await more.getByRole('link', { name: 'Ver canal' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'mais' })).toBeVisible()
})

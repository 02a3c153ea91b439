import { type APIRequestContext, type Page, request } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { sizes } from './screens.ts'
import { studio as arranged } from './screens/data/studio.ts'
import type { Sininho } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

test.use({ viewport: sizes.phone, settings: { PUSH: 'webpush' } })

/** Makes somebody follow a channel with a bell and, if they `ring`, with a device that does. */
async function follower(sininho: Sininho, channelId: string, bell: string, ring = true): Promise<APIRequestContext> {
  const person = await request.newContext({ baseURL: sininho.url })
  await person.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(sininho.person().email)}`)
  await person.post(`/api/v1/subscribers/channels/${channelId}/subscribe`)
  await person.patch(`/api/v1/subscribers/channels/${channelId}`, { data: { bell } })
  if (!ring) return person
  const subscription = (await (await person.post(`${sininho.pushUrl}/subscriptions`)).json()) as object
  const device = { installationId: crypto.randomUUID(), kind: 'webpush', platform: 'web', name: 'Telemóvel' }
  const registered = await person.post('/api/v1/subscribers/devices', { data: { ...device, ...subscription } })
  expect(registered.ok(), await registered.text()).toBe(true)
  return person
}

const idOf = async (page: Page, path: string) =>
  ((await (await page.request.get(`/api/v1${path.replace('/studio', '/channels')}`)).json()) as { id: string }).id

test('says whom it rings before it is sent, and afterwards what became of it', async ({ page, signIn, sininho }) => {
  await signIn(page)
  const path = await arranged(page, sininho)
  const channel = await idOf(page, path)
  const all = await follower(sininho, channel, 'all')
  await follower(sininho, channel, 'important')
  await follower(sininho, channel, 'none')
  await follower(sininho, channel, 'all', false)
  await expect(async () => {
    await page.goto(`${path}/write`)
    await expect(page.getByText('4 pessoas, 1 toca')).toBeVisible({ timeout: 1000 })
    await page.getByRole('switch', { name: /^Importante/ }).check()
    await expect(page.getByText('4 pessoas, 2 tocam')).toBeVisible({ timeout: 1000 })
  }).toPass()

  const list = `/api/v1${path.replace('/studio', '/channels')}/notifications`
  const published = await page.request.post(list, { data: { title: '=Ensaio hoje' } })
  const { id } = (await published.json()) as { id: string }
  await expect
    .poll(async () => (await page.request.get(`${list}/${id}/deliveries`)).json())
    .toMatchObject({ finished: true, accepted: 1, suppressed: { bell: 2 } })
  await all.post(`/api/v1/subscribers/notifications/${id}/events`, { data: { type: 'opened' } })

  await page.goto(path)
  await page.getByRole('link', { name: 'Números' }).click()
  await expect(page.getByRole('region', { name: 'Agora' }).getByRole('definition')).toHaveText(['4', '1', '2'])
  const plot = page.getByRole('figure', { name: 'Envios por dia' })
  await expect(plot).toContainText('Entregues · Total: 1')
  await expect(plot).toContainText('Sem tocar · Total: 2')
  await expect(page.getByRole('region', { name: /^Porque não chegaram/ })).toContainText('2 dispositivos')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Guardar em CSV: Envios por dia' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('ensaios-envios.csv')
  expect(await readFile(await file.path(), 'utf8')).toMatch(/\r\n\d{4}-\d\d-\d\d,3,3,1,0,0,\d,2\r\n$/)
  await page.getByRole('link', { name: '=Ensaio hoje' }).click()
  await expect(page.getByRole('region', { name: 'O que aconteceu a «=Ensaio hoje»' })).toContainText('entregues')
})

test('what is scheduled is found by its day, and moved by the keyboard', async ({ page, signIn, sininho }) => {
  await signIn(page)
  const path = await arranged(page, sininho)
  await page.goto(path)
  await page.getByRole('link', { name: 'Ver o mês' }).click()
  const day = page.getByRole('table').getByRole('button')
  await expect(day).toHaveAccessibleName(/: 1 notificação$/)
  await day.press('Enter')
  await expect(day).toBeFocused()
  await expect(page).toHaveURL(/\/month\?id=\d{4}-\d\d-\d\d$/)
  await page.getByRole('listitem').getByRole('link', { name: 'Alterar' }).press('Enter')
  await page.getByLabel('Publicar mais tarde', { exact: true }).fill('2027-05-21T09:30')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByRole('link', { name: 'Ver o mês' }).click()
  await expect(page.getByRole('table', { name: 'maio de 2027' })).toBeVisible()
  await expect(day).toHaveAccessibleName('21 de maio de 2027: 1 notificação')
  await page.getByRole('button', { name: 'Mês anterior' }).press('Enter')
  await expect(page.getByText('Nada sai neste mês.')).toBeVisible()
})

import { chromium } from '../support/browsers.ts'
import { Notifyd } from '../support/notifyd.ts'
import { expect, test } from '../support/test.ts'
import { Taps } from '../support/taps.ts'

test.use({
  settings: { PUSH: 'webpush', ANALYTICS: 'off' },
  // the headless shell has no push service, and does not say so
  launchOptions: ({ launchOptions }, use) => use({ ...launchOptions, executablePath: chromium }),
})

test('what is published in the studio rings in another browser, and is counted there to the exact number', async ({
  profile,
  page: studio,
  signIn,
}) => {
  const name = `Escola ${Date.now()}`
  await signIn(studio)
  await studio.goto('/new')
  await studio.getByRole('textbox', { name: 'Quem publica' }).fill(name)
  await studio.getByRole('textbox', { name: 'Nome do canal' }).fill('Avisos')
  await studio.getByRole('combobox', { name: 'Categoria' }).selectOption({ index: 1 })
  await studio.locator('input[type=file]').setInputFiles('public/icon-192.png')
  await studio.getByRole('button', { name: 'Criar canal' }).click()
  await expect(studio.getByRole('heading', { level: 1, name: 'Avisos' })).toBeVisible()

  const { page: parent } = await Taps.open(profile)
  await parent.goto(`/channels/${name.toLowerCase().replace(' ', '-')}/avisos`)
  await parent.getByRole('button', { name: 'Receber Avisos' }).click()
  // once the push that confirms the device has arrived
  await expect(async () => {
    const { data } = await (await parent.request.get('/api/v1/subscribers/devices')).json()
    expect(data[0]).toHaveProperty('ringsSince')
  }).toPass()
  await parent.goto('about:blank')

  await studio.getByRole('link', { name: 'Escrever', exact: true }).click()
  await studio.getByRole('textbox', { name: 'O que quer dizer?' }).fill('Não há aulas amanhã\nPor causa da neve.')
  await studio.getByRole('button', { name: 'Publicar', exact: true }).click()
  const note = await Notifyd.here().shown('Não há aulas amanhã')
  expect(note.body).toContain('Avisos · Por causa da neve.')

  await studio.getByRole('button', { name: /^Não há aulas amanhã/ }).click()
  const became = studio.getByRole('region', { name: 'O que aconteceu a «Não há aulas amanhã»' })
  const count = (what: string) => became.locator('div', { has: studio.getByText(what, { exact: true }) }).last()
  await expect(count('entregues')).toHaveText(/1$/)
  await expect(count('viram-na no ecrã')).toHaveText(/1$/)
  const opened = profile.waitForEvent('page')
  await Notifyd.here().click(note)
  await expect(await opened).toHaveURL(/notification=/)
  await expect(count('abriram-na')).toHaveText(/1$/)
})

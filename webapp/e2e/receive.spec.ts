import { chromium } from './support/browsers.ts'
import { expect, gotoLive, test } from './support/test.ts'
import { Taps } from './support/taps.ts'

test.use({
  settings: { PUSH: 'webpush', ANALYTICS: 'off' },
  // the headless shell has no push service, and does not say so
  launchOptions: ({ launchOptions }, use) => use({ ...launchOptions, executablePath: chromium }),
})

const channel = '/channels/demo/novidades'

test('without an account: two taps from the link to the first push, and saved to an account later', async ({
  profile,
  sininho,
}) => {
  const { page, taps } = await Taps.open(profile)
  await page.goto(channel)
  await taps.receive('Novidades')
  taps.atMost(2)
  await expect(page.getByRole('button', { name: /^A seguir Novidades/ })).toBeVisible()
  const first = `Sem conta ${Date.now()}`
  await sininho.publish(first)
  await expect(page.getByRole('status').filter({ hasText: first })).toHaveCount(1)

  const { email } = sininho.person()
  await page.goto('/feed')
  await expect(page.getByText('O que segue está só neste navegador.')).toBeVisible()
  await page.getByRole('link', { name: 'Guardar na minha conta' }).click()
  await page.getByRole('link', { name: 'Continuar com o Google' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const me = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { anonymous: boolean; email: string }
  expect(me).toMatchObject({ anonymous: false, email })
  const followed = (await (await page.request.get('/api/v1/subscribers/channels')).json()) as {
    meta: { total: number }
  }
  expect(followed.meta.total).toBe(1)

  await gotoLive(page, '/feed')
  await expect(page.getByText(first).first()).toBeVisible()
  await expect(page.getByText('O que segue está só neste navegador.')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ver mais canais de que pode gostar' })).toBeVisible()
  const second = `Com conta ${Date.now()}`
  await sininho.publish(second)
  await expect(page.getByRole('status').filter({ hasText: second })).toHaveCount(1)
})

test('with an account at Google: at most five taps, the channel first and the first steps later', async ({
  profile,
  sininho,
}) => {
  const { page, taps } = await Taps.open(profile)
  await page.goto(channel)
  await taps.on(page.getByRole('link', { name: 'Já tenho conta' }))
  await taps.on(page.getByRole('link', { name: 'Continuar com o Google' }))
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(sininho.person().email)
  await taps.on(page.getByRole('button', { name: 'Continuar' }))
  await expect(page.getByRole('button', { name: /^A seguir Novidades/ })).toBeVisible()
  await taps.receive('Novidades')
  taps.atMost(5)
})

test('with a code by email: at most six taps and the code', async ({ profile, sininho }) => {
  const { page, taps } = await Taps.open(profile)
  const { email } = sininho.person()
  await page.goto(channel)
  await taps.on(page.getByRole('link', { name: 'Já tenho conta' }))
  await page.getByLabel('E-mail').fill(email)
  await taps.on(page.getByRole('button', { name: 'Receber um código' }))
  await page.getByLabel('Código de 8 algarismos').fill(await sininho.code(email))
  await taps.on(page.getByRole('button', { name: 'Confirmar' }))
  await expect(page.getByRole('button', { name: /^A seguir Novidades/ })).toBeVisible()
  await taps.receive('Novidades')
  taps.atMost(6)
})

test('a phone that somebody else has set up: two taps from the link, and large text', async ({ profile, sininho }) => {
  const { page, taps } = await Taps.open(profile)
  await page.goto('/start?channels=demo/novidades&text=large')
  await taps.receive('Novidades')
  taps.atMost(2)
  await expect(page).toHaveURL('/feed')
  await expect(page.locator('html')).toHaveCSS('font-size', '22px')
  const title = `Preparado ${Date.now()}`
  await sininho.publish(title)
  await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible()
  await page.reload()
  await expect(page.locator('html')).toHaveCSS('font-size', '22px')
})

test('on an iPhone: two steps, and the app on the home screen begins on the channel', async ({ browser, sininho }) => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const context = await browser.newContext({ baseURL: sininho.url, locale: 'pt-PT', userAgent })
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'))
  const page = await context.newPage()
  await page.goto(channel)
  await page.getByRole('button', { name: 'Receber Novidades' }).click()
  await expect(page.getByText('Escolha «Adicionar ao ecrã principal».')).toBeVisible()
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = (await (await page.request.get(href!)).json()) as { start_url: string; id: string }
  expect(manifest).toMatchObject({ id: '/', start_url: `${channel}?receive=true` })
  // nothing was made in the browser, which the app shares nothing with
  expect((await page.request.get('/api/v1/subscribers/me')).status()).toBe(401)
  await page.goto(manifest.start_url)
  await expect(page.getByText(/Só falta um toque/)).toBeVisible()

  const start = '/start?channels=demo%2Fnovidades&text=large'
  await page.goto(start)
  await page.getByRole('button', { name: 'Receber tudo' }).click()
  await expect(page.getByText('Escolha «Adicionar ao ecrã principal».')).toBeVisible()
  const chosen = await page.locator('link[rel=manifest]').getAttribute('href')
  expect(await (await page.request.get(chosen!)).json()).toMatchObject({ id: '/', start_url: start })
  expect((await page.request.get('/api/v1/subscribers/me')).status()).toBe(401)
  await context.close()
})

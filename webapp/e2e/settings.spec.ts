import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, openFollowed, signInElsewhere, test } from './support/test.ts'

test('invalid settings are listed, each with its problem', async ({ page }) => {
  await page.route('**/config.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'globalThis.SININHO_ENV = Object.freeze({POSTHOG_HOST: "eu.posthog.com"})',
    }),
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Invalid env provided' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'DEMO_WEBHOOK_URL' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'POSTHOG_HOST' })).toContainText('inválido')
})

test('the served settings are frozen, not cached, and contain no secret', async ({ page, request }) => {
  const response = await request.get('/config.js')
  expect(response.headers()['cache-control']).toBe('no-store')
  const text = await response.text()
  expect(text).not.toMatch(/SECRET|DATABASE|CREDENTIALS/)
  await page.goto('/')
  expect(await page.evaluate(() => Object.isFrozen((globalThis as { SININHO_ENV?: object }).SININHO_ENV))).toBe(true)
})

test('pages carry a strict policy', async ({ request }) => {
  const policy = (await request.get('/feed')).headers()['content-security-policy'] ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe-eval')
})

test.describe('the preferences', () => {
  const list = (page: Page) => page.getByRole('navigation', { name: 'Partes das preferências' })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  test('on a phone a list leads to the sections, and back leads to the list', async ({ page, signIn }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(page, { to: '/settings' })
    await expect(list(page).getByRole('link', { name: /^Dispositivos/ })).toContainText('Nenhum')
    await list(page)
      .getByRole('link', { name: /^Segurança/ })
      .click()
    await expect(heading(page, 'Segurança')).toBeFocused()
    await expect(page).toHaveURL('/settings/security')
    await expect(page).toHaveTitle('Segurança · Preferências · Sininho')
    await expect(list(page)).toHaveCount(0)
    const item = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Preferências' })
    await expect(item).toHaveAttribute('aria-current', 'page')
    await page.goBack()
    await expect(heading(page, 'Preferências')).toBeFocused()
    await list(page)
      .getByRole('link', { name: /^Tokens/ })
      .click()
    const back = page.getByRole('main').getByRole('link', { name: 'Preferências' })
    await back.click()
    await expect(heading(page, 'Preferências')).toBeFocused()
    await expect(page).toHaveURL('/settings')
    await page.goForward() // it went back, so that the list is not twice in the history
    await expect(heading(page, 'Tokens de acesso')).toBeFocused()
    await page.goto('/settings/data')
    await back.click()
    await expect(page).toHaveURL('/settings')
  })

  test('on a desktop the list stays, and the first section is there at once', async ({ page, signIn }) => {
    await signIn(page, { to: '/settings' })
    await expect(page.getByRole('textbox', { name: 'Nome' })).toBeVisible()
    const current = list(page).locator('[aria-current=page]')
    await expect(current).toHaveText('Perfil')
    await list(page).getByRole('link', { name: 'Os seus dados' }).press('Enter')
    await expect(heading(page, 'Os seus dados')).toBeFocused()
    await expect(current).toHaveText('Os seus dados')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Exportar os meus dados' })).toBeVisible()
  })

  test('a section fetches nothing of the others, and a link leads to a part of it', async ({ page, signIn }) => {
    await signIn(page)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/subscribers\/(me|devices|identities|sessions|access-tokens)$/.test(pathname)) asked.push(pathname)
    })
    await page.goto('/settings/tokens')
    await expect(page.getByText('Nenhum programa tem acesso')).toBeVisible()
    expect(asked).toEqual(['/api/v1/subscribers/access-tokens']) // once

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/settings/notifications#sino')
    await expect(page.getByRole('region', { name: 'Sino de canais novos' })).toBeInViewport()
  })

  test('profile, quiet hours and bell are saved; changes made elsewhere are shown, not overwritten', async ({
    page,
    signIn,
  }) => {
    await signIn(page, { to: '/settings/profile' })
    const profile = page.getByRole('form', { name: 'Dados do perfil' })
    await profile.getByRole('textbox', { name: 'Nome' }).fill('Ana Maria')
    await profile.getByRole('combobox', { name: 'Fuso horário' }).selectOption('Atlantic/Azores')
    await profile.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByText('Perfil guardado.')).toBeVisible()

    await page.getByRole('navigation', { name: 'Partes das preferências' }).getByText('Notificações').click()
    const quiet = page.getByRole('region', { name: 'Horas de silêncio' })
    await quiet.getByRole('switch').click()
    await expect(quiet.getByText('Silêncio das 22:00 às 07:00 do dia seguinte.')).toBeVisible()
    await expect(quiet.getByText(/^Pelo fuso horário de Açores/)).toBeVisible()
    await quiet.getByLabel('Das').selectOption('23:30')
    await expect(quiet.getByText('Silêncio das 23:30 às 07:00 do dia seguinte.')).toBeVisible()
    const important = page.getByRole('radio', { name: 'Só o importante' })
    await important.click()
    await expect(important).toBeChecked()
    const kept = async () => (await (await page.request.get('/api/v1/subscribers/me')).json()) as object
    await expect.poll(kept).toMatchObject({
      name: 'Ana Maria',
      timezone: 'Atlantic/Azores',
      quietHours: { start: '23:30', end: '07:00' },
      bellDefault: 'important',
    })

    await page.request.patch('/api/v1/subscribers/me', { data: { quietHours: { start: '20:00', end: '08:00' } } })
    await quiet.getByRole('switch').click()
    await expect(page.getByText(/Foi alterado noutro lugar entretanto/)).toBeVisible()
    await expect(quiet.getByText('Silêncio das 20:00 às 08:00 do dia seguinte.')).toBeVisible()

    await openFollowed(page)
    await expect(page.getByRole('button', { name: 'Sino de Novidades: Só o importante' })).toBeVisible()
  })

  test('a token is created, shown once, valid, and revoked', async ({ page, sininho, signIn, playwright }) => {
    await signIn(page, { to: '/settings/tokens' })
    const tokens = page.getByRole('region', { name: 'Tokens de acesso' })
    await tokens.getByRole('button', { name: 'Criar token' }).click()
    await tokens.getByRole('textbox', { name: 'Nome' }).fill('portátil')
    await tokens.getByRole('button', { name: 'Criar token' }).click()
    const panel = tokens.getByRole('group', { name: 'O token «portátil» está pronto' })
    await expect(panel).toBeFocused()
    const secret = await panel.getByText(/^sna_live_/).innerText()
    const program = await playwright.request.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${secret}` } })
    const status = async () => (await program.get(`${sininho.url}/api/v1/subscribers/me`)).status()
    expect(await status()).toBe(200)
    await page.reload()
    await expect(tokens.getByText(/sna_live_….* usado agora/)).toBeVisible()
    await expect(page.getByText(secret)).toHaveCount(0)

    const revoke = tokens.getByRole('button', { name: 'Revogar portátil' })
    await revoke.click()
    await page.keyboard.press('Escape')
    await expect(revoke).toBeFocused()
    await revoke.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revogar' }).press('Enter')
    await expect(tokens.getByText('Nenhum programa tem acesso')).toBeVisible()
    await expect.poll(status).toBe(401)
    await program.dispose()
  })

  test('other browsers are signed out one by one and all at once', async ({ page, signIn }) => {
    await signIn(page, { to: '/settings/security' })
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const one = await signInElsewhere(page, firefox)
    const two = await signInElsewhere(page, firefox)
    const status = (browser: typeof one) => async () => (await browser.request.get('/api/v1/subscribers/me')).status()
    expect(await status(one)()).toBe(200)
    await page.reload()
    const sessions = page.getByRole('region', { name: 'Sessões' })
    await expect(sessions.getByRole('listitem')).toHaveCount(3)
    await expect(sessions.getByRole('listitem').first()).toContainText('Esta sessão')
    await sessions.getByRole('button', { name: 'Terminar Firefox no Windows' }).first().press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Terminar' }).press('Enter')
    await expect(page.getByText('Sessão terminada.')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await sessions.getByRole('button', { name: 'Terminar as outras sessões' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Terminar as outras sessões' }).press('Enter')
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect.poll(status(one)).toBe(401)
    await expect.poll(status(two)).toBe(401)
    await page.reload()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await one.close()
    await two.close()
  })

  test('a channel is muted and unmuted by keyboard alone', async ({ page, signIn }) => {
    await signIn(page)
    await openFollowed(page)
    await page.getByRole('button', { name: 'Sino de Novidades: Tocar sempre' }).press('Enter')
    const choices = page.getByRole('dialog', { name: 'Sino de Novidades' })
    await choices.getByRole('button', { name: /^1 semana/ }).press('Enter')
    const bell = page.getByRole('button', { name: /^Sino de Novidades: Silenciado até/ })
    await expect(bell).toBeFocused()
    await bell.press('Enter')
    const [button, beside] = [await bell.boundingBox(), await choices.boundingBox()]
    expect(beside!.x, 'does not cover the bell').toBeGreaterThanOrEqual(button!.x + button!.width)
    await page.goto('/feed')
    const rail = page.getByRole('navigation', { name: 'Canais que segue' })
    await rail.getByRole('button', { name: /^Sino de Novidades: Silenciado até/ }).press('Enter')
    await choices.getByRole('button', { name: 'Voltar a tocar' }).press('Enter')
    await expect(rail.getByRole('button', { name: 'Sino de Novidades: Tocar sempre' })).toBeFocused()
  })

  test('makes an address at which a feed reader finds the feed, and ends it', async ({ page, signIn }) => {
    await signIn(page, { to: '/settings/data' })
    await page.getByRole('button', { name: 'Criar endereço' }).click()
    const shown = page.getByRole('group', { name: 'Endereço do seu feed, em Atom' })
    await expect(shown).toBeFocused()
    const address = await shown.getByText(/\/feeds\/snf_live_\w+\.atom$/).innerText()
    const feed = await page.request.get(address)
    expect(feed.headers()['content-type']).toContain('application/atom+xml')
    expect(await feed.text()).toContain('<title>Sininho</title>')
    await page.getByRole('button', { name: 'Apagar endereço' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apagar endereço' }).click()
    await expect(page.getByText('Endereço apagado.')).toBeVisible()
    expect((await page.request.get(address)).status()).toBe(404)
  })

  test('exports the data and deletes the account', async ({ page, signIn }) => {
    await signIn(page, { to: '/settings/data' })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar os meus dados' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^sininho-os-meus-dados-\d{4}-\d\d-\d\d\.json$/)
    const data = JSON.parse(await readFile(await download.path(), 'utf8')) as { subscriber: { email: string } }
    expect(data.subscriber.email).toContain('@example.com')

    await page.getByRole('button', { name: 'Apagar a conta' }).click()
    await page.getByRole('textbox', { name: 'Para confirmar, escreva «apagar»' }).fill('apagar')
    await page.getByRole('button', { name: 'Apagar para sempre' }).click()
    await expect(page.getByText('A sua conta foi apagada.')).toBeVisible()
    await expect(page).toHaveURL('/')
    await expect(
      page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Entrar' }),
    ).toBeVisible()
    expect((await page.request.get('/api/v1/subscribers/me')).status()).toBe(401)
  })
})

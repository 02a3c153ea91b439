import { expect, test } from '../support/test.ts'

test('a visitor reads Sininho in the language of the browser', async ({ browser, sininho }) => {
  for (const [locale, lang, heading] of [
    ['en-GB', 'en', 'Follow what matters. Get it instantly.'],
    ['pt-BR', 'pt-BR', 'Siga o que importa. Receba na hora.'],
    ['fr-FR', 'pt-PT', 'Siga o que importa. Receba na hora.'],
  ] as const) {
    const context = await browser.newContext({ locale, baseURL: sininho.url })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page).toHaveTitle(`${heading} · Sininho`)
    await context.close()
  }
})

test('a visitor chooses a language, which stays', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('list', { name: 'Língua' }).getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Follow what matters. Get it instantly.')
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Channels' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Channels')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Channels')
  await page.goto('/')
  await page.getByRole('button', { name: 'Português (Portugal)' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-PT')
})

test('a person chooses a language, which all their browsers speak from then on', async ({
  page,
  browser,
  sininho,
  signIn,
}) => {
  await signIn(page, { to: '/settings/profile' })
  const choose = async (label: string, language: string, save: string) => {
    await page.getByRole('combobox', { name: label }).selectOption(language)
    await page.getByRole('button', { name: save }).click()
  }
  await choose('Língua', 'English', 'Guardar')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/feed')
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()

  const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
  const other = await browser.newContext({ locale: 'pt-PT', baseURL: sininho.url })
  await other.request.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`)
  const elsewhere = await other.newPage()
  await elsewhere.goto('/feed')
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await other.close()

  await page.goto('/settings/profile')
  await choose('Language', 'Português (Brasil)', 'Save')
  await expect(page.getByRole('heading', { level: 1, name: 'Perfil' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Idioma' })).toHaveValue('pt-BR')
  await choose('Idioma', 'Português (Portugal)', 'Salvar')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-PT')
})

test('the choice of language shows what the page speaks, also for a locale without a country', async ({
  browser,
  sininho,
}) => {
  for (const [locale, lang] of [
    ['en-GB', 'pt-PT'],
    ['pt-BR', 'pt-BR'],
  ] as const) {
    const context = await browser.newContext({ locale, baseURL: sininho.url })
    await context.request.get(`/api/v1/auth/google?login_hint=${crypto.randomUUID()}@example.com`)
    await context.request.put('/api/v1/subscribers/onboarding', { data: { step: 'done' } })
    await context.request.patch('/api/v1/subscribers/me', { data: { locale: 'pt' } })
    const page = await context.newPage()
    await page.goto('/settings/profile')
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.getByRole('combobox', { name: /Língua|Idioma/ })).toHaveValue(lang)
    await context.close()
  }
})

test('the server is asked in the language of the page', async ({ browser, sininho }) => {
  const context = await browser.newContext({ locale: 'en-US', baseURL: sininho.url })
  const page = await context.newPage()
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/channels'))
  await page.goto('/channels')
  expect(await (await asked).headerValue('Accept-Language')).toBe('en')
  await context.close()
})

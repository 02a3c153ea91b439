import { expect, follow, gotoLive, test } from './support/test.ts'

test('a visitor sends a notification through the demo webhook and sees it arrive', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Siga o que importa. Receba na hora.' })).toBeVisible()
  await page.getByRole('link', { name: 'Ver demonstração' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demonstração' })).toBeFocused()
  await expect(page.getByText('Ao vivo')).toBeVisible()
  const title = `Do visitante ${Date.now()}`
  await page.getByRole('textbox', { name: 'Título' }).fill(title)
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Tudo certo!' })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'A chegar ao canal' }).getByRole('button', { name: title }),
  ).toBeVisible()
})

test('a new person follows all that is suggested at once', async ({ page, signIn }) => {
  await signIn(page, { onboarded: false })
  await page.goto('/onboarding?step=channels')
  await expect(page.getByRole('button', { name: /^A seguir/ })).toHaveCount(0)
  await expect(page.getByText(/^\d+ sugestões$/)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Principal' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Seguir todos' }).click()
  await expect(page.getByText('Já segue todos')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Seguir/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Voltar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
})

test('a new person completes the onboarding, follows, receives and reads', async ({ page, sininho, signIn }) => {
  const earlier = `Antes de seguir ${Date.now()}`
  await sininho.publish(earlier)
  await signIn(page, { onboarded: false })
  await expect(page).toHaveURL(/\/onboarding/)
  await page.getByText('Tecnologia').click()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByRole('heading', { name: 'Canais para começar' })).toBeVisible()
  await page.getByRole('button', { name: 'Seguir Novidades' }).click()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('button', { name: 'Agora não' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notificações' })).toBeVisible()
  await expect(page.getByText(earlier)).toBeVisible()

  const title = `Ao vivo ${Date.now()}`
  await sininho.publish(title, { body: 'Publicada pela linha de comandos' })
  const unread = page.getByRole('button', { name: `Por ler: ${title}` })
  await expect(unread).toBeVisible()
  await expect(page).toHaveTitle(/^\(1\)/)
  const stored = page.waitForResponse((response) => response.url().endsWith('/events'))
  await unread.click()
  await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible()
  await stored
  await page.reload()
  await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible()
})

test('an arrival on another screen shows a toast that links to it', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/channels')
  await expect(page.getByRole('button', { name: 'A seguir Novidades' })).toBeVisible()
  const title = `Aviso ${Date.now()}`
  await sininho.publish(title)
  const toast = page.getByRole('status').filter({ hasText: title })
  await expect(toast).toBeVisible()
  await toast.getByRole('link', { name: 'Abrir' }).click()
  await expect(page).toHaveURL(/\/feed\?notification=/)
  await expect(page.getByRole('button', { name: title })).toBeVisible()
})

test('an arrival waits behind a pill while the reader has scrolled down, and shifts nothing', async ({
  page,
  sininho,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 400 })
  await signIn(page)
  await follow(page)
  for (let index = 0; index < 4; index++) await sininho.publish(`Lista ${index}`, { body: 'Texto. '.repeat(20) })
  await gotoLive(page, '/feed')
  const card = page.getByRole('article').filter({ hasText: 'Lista 1' })
  await card.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 400)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  const before = await card.boundingBox()
  await sininho.publish('Chegou agora')
  const pill = page.getByRole('button', { name: '1 nova notificação' })
  await expect(pill).toBeVisible()
  expect(await card.boundingBox()).toEqual(before)
  await pill.click()
  await expect(page.getByRole('article').first()).toContainText('Chegou agora')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('reading in one tab shows in the other', async ({ page, context, sininho, signIn }) => {
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/feed')
  const other = await context.newPage()
  await gotoLive(other, '/feed')
  const title = `Dois ${Date.now()}`
  await sininho.publish(title)
  await expect(other.getByRole('button', { name: `Por ler: ${title}` })).toBeVisible()
  await page.getByRole('button', { name: 'Marcar tudo como lido' }).click()
  await expect(other.getByRole('button', { name: title, exact: true })).toBeVisible()
  await expect(other).toHaveTitle(/^Notificações/)
})

test('a guarded screen leads to sign-in, and sign-in leads back', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Siga o que importa/ })).toBeVisible()
  await page.goto('/settings')
  await expect(page).toHaveURL('/login?redirect=%2Fsettings')
  const google = page.getByRole('link', { name: 'Continuar com o Google' })
  expect(await google.getAttribute('href')).toBe('/api/v1/auth/google?redirect=%2Flogin%3Fredirect%3D%252Fsettings')
  await google.click()
  await page.waitForURL((url) => url.origin !== sininho.url)
})

test('publishers’ texts are shown as text everywhere', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/channels')
  const title = '<img src=x onerror=document.title="mau">'
  await sininho.publish(title, { body: '<script>document.title="mau"</script>' })
  await expect(page.getByRole('status').filter({ hasText: title })).toBeVisible()
  await page.goto('/feed')
  await expect(page.getByRole('button', { name: title })).toBeVisible()
  await expect(page.getByText('<script>document.title="mau"</script>')).toBeVisible()
  await expect(page).not.toHaveTitle(/mau/)
})

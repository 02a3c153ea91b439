import { expect, test } from './support/test.ts'

test('a visitor sees what is published, as it is published', async ({ page, sininho }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.goto('/')
  const latest = page.getByRole('region', { name: 'As últimas' })
  await expect(latest.getByText('Ao vivo')).toBeVisible()
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(10)
  expect(await latest.getByRole('listitem').count()).toBeLessThanOrEqual(5)
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }))

  const title = `Eclusa aberta ${crypto.randomUUID()}`
  const id = await sininho.publish(title)
  await expect(latest.getByRole('listitem').first()).toContainText(title)
  await expect(latest.getByRole('listitem').first()).toContainText('agora')
  await sininho.publish(`${title}, outra vez`)
  await expect(latest.getByRole('listitem').first()).toContainText('outra vez')
  expect(await latest.getByRole('listitem').count()).toBeLessThanOrEqual(5)
  expect(await page.evaluate(() => 'stayed' in globalThis), 'the page was not loaded again').toBe(true)

  await latest.getByRole('link', { name: title, exact: false }).nth(1).click()
  await expect(page).toHaveURL(new RegExp(`/channels/demo/novidades/${id}$`))
  await expect(page.getByText(title).first()).toBeVisible()
})

test('what a channel publishes that was not among the latest is noticed too', async ({ page, sininho }) => {
  await page.clock.install()
  await page.goto('/')
  const latest = page.getByRole('region', { name: 'As últimas' })
  await expect(latest.getByText('Ao vivo')).toBeVisible()
  await sininho.newChannel()
  await page.clock.runFor(31_000)
  await expect(latest.getByText('A sua conta foi bloqueada')).toBeVisible()
})

test('takes no place where nothing has been published', async ({ page }) => {
  await page.route('**/api/v1/channels?*sort=active*', (route) =>
    route.fulfill({ json: { data: [], meta: { total: 0 } } }),
  )
  await page.goto('/')
  await page.getByRole('region', { name: 'Tem algo para dizer?' }).waitFor()
  await expect(page.getByRole('region', { name: 'As últimas' })).toHaveCount(0)
})

test('has a door for readers, and one for publishers that leads to the documentation', async ({ page }) => {
  await page.goto('/')
  const reading = page.getByRole('region', { name: 'Quer ficar a saber?' })
  await expect(reading.getByRole('link', { name: 'Entrar' })).toHaveAttribute('href', '/login')
  await reading.getByRole('link', { name: 'Ver os canais' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
  await page.goBack()
  const publishing = page.getByRole('region', { name: 'Tem algo para dizer?' })
  await publishing.getByRole('tab', { name: 'CLI' }).click()
  await expect(publishing.getByText('sininho publish metro/linhas')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await publishing.getByRole('button', { name: 'Copiar' }).click()
  await expect(publishing.getByRole('button', { name: 'Copiado' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('sininho publish metro/linhas')
  const footer = page.getByRole('navigation', { name: 'Rodapé' })
  await expect(publishing.getByRole('link', { name: 'Como publicar' })).toHaveAttribute('href', '/publicar')
  await footer.getByRole('link', { name: 'Documentação (em inglês)' }).click()
  await expect(page).toHaveURL(/\/docs$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('speaks of no waiting list where anybody may sign up', async ({ page }) => {
  await page.goto('/#lista-de-espera')
  await page.getByRole('region', { name: 'Quer ficar a saber?' }).waitFor()
  await expect(page.getByRole('main')).not.toContainText(/lista de espera|convite/i)
  await expect(page.locator('[href*="lista-de-espera"]')).toHaveCount(0)
})

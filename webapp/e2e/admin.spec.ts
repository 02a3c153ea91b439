import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { mockHealth } from './screens/data/health.ts'
import { links } from './support/sininho.ts'
import { expect, test, workerReady } from './support/test.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Administração' }).getByRole('link', { name })

test('a report leads to a suspension, whose reason the owner reads until it is lifted', async ({
  page,
  browser,
  sininho,
  signIn,
}) => {
  const channel = await sininho.newChannel()
  const owner = await browser.newPage({ baseURL: sininho.url })
  await owner.request.get(`/api/v1/auth/google?login_hint=${channel.owner}`)
  const reader = await browser.newPage({ baseURL: sininho.url })
  await reader.request.get(`/api/v1/auth/google?login_hint=lino-${channel.publisher}@example.com`)
  await reader.goto(`/channels/${channel.address}`)
  await reader.getByRole('button', { name: 'Denunciar' }).first().click()
  await reader.getByRole('radio', { name: 'É uma burla' }).check()
  await reader.getByRole('textbox', { name: /Conte mais/ }).fill('Não é o banco.')
  await reader.getByRole('button', { name: 'Enviar a denúncia' }).click()
  await expect(reader.getByRole('dialog')).toHaveCount(0)

  await signIn(page, { operator: true, to: '/settings' })
  await page.getByRole('link', { name: 'Administração' }).click()
  await expect(title(page, 'Estado')).toBeFocused()
  await go(page, 'Denúncias').click()
  const report = page.getByRole('listitem').filter({ hasText: channel.address })
  await expect(report).toContainText('Não é o banco.')
  await report.getByRole('button', { name: 'Suspender canal' }).click()
  await page.getByRole('textbox', { name: 'Motivo' }).fill('Faz-se passar por um banco.')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspender' }).click()
  await expect(page.getByText('Suspensão aplicada.')).toBeVisible()
  await report.getByRole('button', { name: /^Marcar como tratada/ }).click()
  await expect(report).toHaveCount(0)

  await owner.goto(`/channels/${channel.address}`)
  await expect(owner.getByText('Faz-se passar por um banco.')).toBeVisible()
  await owner.goto('/settings/publishing')
  const notice = owner.getByRole('main').getByRole('link', { name: 'Avisos do Banco' })
  await expect(notice).toContainText('Suspenso: Faz-se passar por um banco.')
  await notice.click()
  await reader.reload()
  await expect(reader.getByText('Este canal está suspenso')).toBeVisible()

  await go(page, 'Moderação').click()
  await page.getByRole('button', { name: `Levantar a suspensão de ${channel.address}` }).click()
  await expect(page.getByText('Suspensão levantada.')).toBeVisible()
  await owner.reload()
  await expect(title(owner, 'Avisos do Banco')).toBeVisible()
  await expect(owner.getByText('Faz-se passar por um banco.')).toHaveCount(0)

  await go(page, 'Alterações').click()
  await page.getByRole('textbox', { name: 'Só de um publicador' }).fill(channel.publisher)
  await page.getByRole('button', { name: 'Filtrar' }).click()
  await expect(page.getByText('Levantou a suspensão do canal Avisos do Banco')).toBeVisible()
  await expect(page.getByText('motivo: Faz-se passar por um banco.')).toBeVisible()
  await owner.close()
  await reader.close()
})

test('a person is found in the waiting list, exported and invited', async ({ page, sininho, signIn }) => {
  const email = `${crypto.randomUUID()}@example.com`
  await page.request.post('/api/v1/waitlist/entries', { data: { email, name: 'Rita' } })
  const joined = await sininho.mail(email)
  await page.goto(links(joined)[0]!)
  await expect(title(page, 'Rita, este é o seu lugar')).toBeVisible()

  await signIn(page, { operator: true, to: '/admin/waitlist' })
  await page.getByRole('searchbox', { name: 'Procurar por nome ou e-mail' }).fill(email)
  await expect(page.getByText('1 inscrição')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n').slice(0, 2).join('\n')).toMatch(
    /^id,email,name,status,.*\n[^,]+,[^,]+@example.com,Rita,waiting,/,
  )

  await page.getByRole('checkbox', { name: `Escolher ${email}` }).check()
  await page.getByRole('button', { name: 'Convidar 1 pessoa' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('com convite')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Convidar 1/ })).toHaveCount(0)
  const invited = await sininho.mail(email, joined)
  expect(links(invited)[0]).toContain('/login?invitation=')
})

test('the screens are beside the current one or, without room, in a line that shows it; both lie in the preferences', async ({
  page,
  signIn,
}) => {
  await signIn(page, { operator: true, to: '/admin/settings' })
  const place = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Preferências' })
  await expect(place).toHaveAttribute('aria-current', 'page')
  const [first, last] = [go(page, 'Estado'), go(page, 'Configuração')]
  const left = async (link: Locator) => (await link.boundingBox())!.x
  expect(await left(first)).toBe(await left(last))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(last).toBeInViewport({ ratio: 1 })
  await expect(first).not.toBeInViewport()
})

test('on phones, the screens and the invitations lead back to the preferences', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, { operator: true, to: '/admin/reports' })
  const back = page.getByRole('main').getByRole('link', { name: 'Preferências' })
  for (const path of ['/admin/reports', '/invitations']) {
    await page.goto(path)
    await back.first().click()
    await expect(title(page, 'Preferências')).toBeFocused()
  }
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto('/admin/reports')
  await expect(title(page, 'Denúncias')).toBeVisible()
  await expect(back).toHaveCount(0)
})

for (const { width, lines } of [
  { width: 1280, lines: 1 },
  { width: 390, lines: 2 },
]) {
  test(`what can be done about a report takes ${lines} of the lines of ${width} px`, async ({
    page,
    sininho,
    signIn,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const channel = await sininho.newChannel()
    await sininho.report(channel)
    await signIn(page, { operator: true, to: '/admin/reports' })
    const buttons = page.getByRole('listitem').filter({ hasText: channel.address }).last().getByRole('button')
    await expect(buttons).toHaveText(['Marcar como tratada', 'Rejeitar', 'Retirar notificação', 'Suspender canal'])
    const tops = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(lines)
    expect(tops[2]).toBe(tops[3])
  })
}

test('the numbers of a plot all fit, in a line of its own that appears where they were asked for', async ({
  page,
  signIn,
}) => {
  await mockHealth(page)
  await signIn(page, { operator: true, to: '/admin' })
  const pushes = page.getByRole('figure', { name: 'Envios' })
  const numbers = pushes.getByRole('region')
  const hidden = () => numbers.evaluate((element) => element.scrollWidth - element.clientWidth)
  await pushes.getByText('Ver os números').click()
  await expect(pushes.getByRole('columnheader', { name: 'Repetidos' })).toBeVisible()
  expect(await hidden()).toBe(0)

  const wait = page.getByRole('figure', { name: 'Espera do lote mais antigo' })
  const place = async (element: Locator) => (await element.boundingBox())!
  await wait.locator('summary').scrollIntoViewIfNeeded()
  const before = await place(wait)
  const { y } = await place(wait.locator('summary'))
  await wait.locator('summary').click()
  await expect(wait.getByRole('region')).toBeVisible()
  expect((await place(wait)).width).toBeGreaterThan(before.width * 2)
  await expect.poll(async () => Math.abs((await place(wait.locator('summary'))).y - y)).toBeLessThan(2)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(hidden).toBe(0)
})

test('a category is created, changed, used and deleted', async ({ page, signIn }) => {
  const name = `Saúde ${crypto.randomUUID().slice(0, 6)}`
  await signIn(page, { operator: true, to: '/admin/categories' })
  await page.getByRole('button', { name: 'Criar categoria' }).click()
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill(name)
  await page.getByRole('form').getByRole('button', { name: 'Criar categoria' }).click()
  await expect(page.getByText('Categoria criada.')).toBeVisible()
  await page.getByRole('button', { name: `Alterar ${name}` }).click()
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill(`${name} pública`)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Categoria guardada.')).toBeVisible()

  await page.goto('/channels')
  await expect(page.getByRole('link', { name: `${name} pública` })).toBeVisible()

  await page.goto('/admin/categories')
  await page.getByRole('button', { name: `Apagar ${name} pública` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
  await expect(page.getByText('Categoria apagada.')).toBeVisible()
  await expect(page.getByText(`${name} pública`)).toHaveCount(0)
})

test('the health is of this server, and nobody else sees it', async ({ page, signIn, browser, sininho }) => {
  await signIn(page, { operator: true, to: '/admin' })
  await expect(page.getByRole('figure', { name: 'Pedidos à API' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: new RegExp(`:${new URL(sininho.url).port}$`) })).toBeVisible()
  const other = await browser.newPage({ baseURL: sininho.url })
  await other.request.get(`/api/v1/auth/google?login_hint=${crypto.randomUUID()}@example.com`)
  for (const path of ['/admin', '/admin/settings']) {
    await other.goto(path)
    await expect(title(other, 'Você Está Perdido??')).toBeVisible()
  }
  expect((await other.request.get('/api/v1/admin/settings')).status()).toBe(403)
  await other.close()
})

test('offline, a screen shows what it has, and another says that there is no connection', async ({
  page,
  signIn,
  context,
}) => {
  await signIn(page, { operator: true, to: '/admin/settings' })
  await expect(page.getByRole('rowheader', { name: 'SECRET_KEY' })).toBeVisible()
  await go(page, 'Eventos').click()
  await expect(page.getByText('Nenhum endereço está a falhar.')).toBeVisible()
  await workerReady(page)
  await context.setOffline(true)
  await go(page, 'Configuração').click()
  await expect(page.getByRole('rowheader', { name: 'SECRET_KEY' })).toBeVisible()
  await expect(page.getByText('Sem ligação. A mostrar o que já foi carregado.')).toBeVisible()
  await go(page, 'Denúncias').click()
  await expect(page.getByText('Assim que a ligação voltar, isto carrega sozinho.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Assim que a ligação voltar, isto carrega sozinho.')).toHaveCount(0)
})

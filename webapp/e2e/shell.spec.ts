import type { Page } from '@playwright/test'
import { expect, follow, gotoLive, test, workerReady } from './support/test.ts'

/** Waits until the worker can open the app, with the code of a screen. */
async function kept(page: Page, screen: RegExp) {
  const paths = () =>
    page.evaluate(async () => {
      const all: string[] = []
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) all.push(new URL(url).pathname)
      return all.join(' ')
    })
  await expect.poll(paths).toMatch(/(^| )\/( |$)/)
  await expect.poll(paths).toMatch(screen)
  await workerReady(page)
}

const bar = 'Sem ligação. A mostrar o que já foi carregado.'

test('the app opens without a connection, on any screen, and what is done there is sent later', async ({
  page,
  context,
  sininho,
  signIn,
}) => {
  await signIn(page)
  await follow(page)
  const title = `Sem rede ${Date.now()}`
  await sininho.publish(title)
  await gotoLive(page, '/feed')
  const card = page.getByRole('article').filter({ hasText: title })
  await card.waitFor()
  await kept(page, /settings-/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sininho.kept'))).toContain(title)

  await context.setOffline(true)
  const other = await context.newPage()
  await other.goto('/feed')
  await expect(other.getByText(bar)).toBeVisible()
  const same = other.getByRole('article').filter({ hasText: title })
  await same.getByRole('button', { name: 'Opções' }).click()
  await other.getByRole('menuitem', { name: 'Arquivar' }).click()
  await expect(same).toBeHidden()
  await expect(other.getByText('O que fez é enviado assim que a ligação voltar.')).toBeVisible()
  await other.getByRole('button', { name: 'Anular' }).click()
  await expect(same).toBeVisible()
  await same.getByRole('button', { name: 'Opções' }).click()
  await other.getByRole('menuitem', { name: 'Arquivar' }).click()
  for (let reloads = 0; reloads < 2; reloads++) {
    await other.reload()
    await expect(same).toBeHidden()
    await expect(other.getByText('O que fez é enviado assim que a ligação voltar.')).toBeVisible()
    await expect(other.getByRole('article').first()).toBeVisible()
  }

  await context.setOffline(false)
  await expect(other.getByText(bar)).toBeHidden()
  await expect
    .poll(async () => (await context.request.get('/api/v1/subscribers/notifications?archived=true')).text())
    .toContain(title)
})

test('a first visit is enough to open the app without a connection', async ({ page, context }) => {
  await page.goto('/')
  await kept(page, /channels-/)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Siga o que importa/ })).toBeVisible()
  await page.goto('/channels')
  await expect(page.getByRole('heading', { level: 1, name: 'Canais' })).toBeVisible()
  await expect(page.getByText('Assim que a ligação voltar, isto carrega sozinho.').first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('link', { name: 'Seguir Novidades' })).toBeVisible()
})

test('a server that a proxy cannot reach does not keep the app from opening', async ({ page, context }) => {
  await page.goto('/')
  await kept(page, /channels-/)
  await context.route('**/*', (route) =>
    route.request().isNavigationRequest() || route.request().url().includes('/api/')
      ? route.fulfill({ status: 502, body: 'Bad Gateway' })
      : route.continue(),
  )
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Siga o que importa/ })).toBeVisible()
})

test('a visitor loads only the code of the screens that they can reach next', async ({ page }) => {
  await page.goto('/')
  await kept(page, /channels-/)
  const scripts = await page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name.replace(/.*\//, ''))
        .filter((name) => name.endsWith('.js')),
    ),
  ])
  expect(scripts).toContainEqual(expect.stringMatching(/^login-/))
  // the events of a stream are also those of the channels that a visitor sees
  expect(
    scripts.filter((name) => /^-?(settings|feed(?!-events)|admin|onboarding|invitations|waitlist)/i.test(name)),
  ).toEqual([])
})

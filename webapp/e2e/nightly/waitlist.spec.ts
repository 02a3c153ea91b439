import { type Browser, type Page, request } from '@playwright/test'
import { Sininho, links } from '../support/sininho.ts'
import { test as base, expect } from '../support/test.ts'

/** A server where only invited people may sign up. */
const test = base.extend<object, { sininho: Sininho }>({
  sininho: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from it
    async ({}, use) => {
      const sininho = await Sininho.start({ SIGN_UP: 'invitation' })
      await use(sininho)
      await sininho.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Joins by the form that the first button leads to. */
async function join(page: Page, email: string, name: string) {
  await page.getByRole('link', { name: 'Pedir convite' }).click()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeInViewport()
  await page.keyboard.type(email)
  await page.getByRole('textbox', { name: 'Nome (opcional)' }).fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Veja o seu e-mail' })).toBeFocused()
}

/** Returns a page of another person's browser. */
async function other(browser: Browser, sininho: Sininho) {
  const context = await browser.newContext({ baseURL: sininho.url, locale: 'pt-PT' })
  return context.newPage()
}

/** Signs in on Google's page. */
async function signIn(page: Page, email: string) {
  await page.getByRole('link', { name: 'Continuar com o Google' }).click()
  await page.getByRole('textbox', { name: 'Outro e-mail' }).fill(email)
  await page.getByRole('button', { name: 'Continuar' }).click()
}

async function operatorToken(sininho: Sininho) {
  const operator = await request.newContext({ baseURL: sininho.url })
  await operator.get('/api/v1/auth/google?login_hint=operador@example.com')
  const made = await operator.post('/api/v1/subscribers/access-tokens', { data: { name: 'convites' } })
  expect(made.status()).toBe(201)
  const { secret } = (await made.json()) as { secret: string }
  await operator.dispose()
  return secret
}

test('joins by form and email, moves up by a friend, and signs up by invitation', async ({
  page,
  browser,
  sininho,
}) => {
  test.slow()
  const referrers: string[] = []
  page.on('request', (asked) => referrers.push(asked.headers().referer ?? ''))

  // another person is in the list already
  const rui = await other(browser, sininho)
  await rui.goto('/')
  await join(rui, 'rui@example.com', '')
  await rui.goto(links(await sininho.mail('rui@example.com'))[0]!)
  await expect(rui.getByText('1.º', { exact: true })).toBeVisible()

  // the form, the email, and its link
  await page.goto('/')
  await join(page, 'ana@example.com', 'Ana')
  const confirm = await sininho.mail('ana@example.com')
  const place = links(confirm)[0]!
  await page.goto(place)
  await expect(title(page, 'Ana, este é o seu lugar na lista')).toBeVisible()
  await expect(page.getByText('2.º', { exact: true })).toBeVisible()
  await expect(page.getByText('numa lista de 2 pessoas')).toBeVisible()
  await expect(page.getByText('Ainda não trouxe ninguém.')).toBeVisible()

  // a friend follows the link, looks around, joins, and moves Ana up
  const bia = await other(browser, sininho)
  await bia.goto((await page.getByText('/?ref=').textContent())!)
  await bia.getByRole('link', { name: 'Ver demonstração' }).click()
  await expect(title(bia, 'Demonstração')).toBeVisible()
  await bia.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Início' }).click()
  await join(bia, 'bia@example.com', 'Bia')
  await page.reload()
  await expect(page.getByText('Ainda não trouxe ninguém.')).toBeVisible() // until she confirms
  await bia.goto(links(await sininho.mail('bia@example.com'))[0]!)
  await expect(bia.getByText('3.º', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('1.º', { exact: true })).toBeVisible()
  await expect(page.getByText('Já trouxe 1 pessoa.')).toBeVisible()

  // an uninvited person cannot sign up
  const stranger = await other(browser, sininho)
  await stranger.goto('/login')
  await signIn(stranger, 'estranho@example.com')
  await expect(stranger.getByRole('alert')).toContainText('o Sininho é só por convite')
  await stranger.goto('/feed')
  await expect(title(stranger, 'Entrar no Sininho')).toBeVisible()

  // an operator invites the first in the list
  const invited = await sininho.commandAs(await operatorToken(sininho), 'waitlist', 'invite', '--next', '1', '--json')
  expect(invited).toContain('ana@example.com')
  await page.goto(place)
  await expect(title(page, 'Chegou a sua vez')).toBeVisible()

  // the invitation works with any account, and leads to the onboarding
  const invitation = links(await sininho.mail('ana@example.com', confirm))[0]!
  await page.goto(invitation)
  await expect(page.getByText('Tem um convite.')).toBeVisible()
  await signIn(page, 'ana.pessoal@example.com')
  await expect(title(page, 'O que lhe interessa?')).toBeVisible()
  await page.goto(place)
  await expect(title(page, 'Já está no Sininho')).toBeVisible()

  // and works only once
  await stranger.goto(invitation)
  await signIn(stranger, 'outro@example.com')
  await expect(stranger.getByRole('alert')).toContainText('o Sininho é só por convite')

  expect(referrers.filter((each) => /sw[ti]_/.test(each))).toEqual([])
  for (const each of [rui, bia, stranger]) await each.context().close()
})

test('the link to leave confirms no address, asks first, and deletes the entry', async ({ page, sininho }) => {
  await page.request.post('/api/v1/waitlist/entries', { data: { email: 'leo@example.com' } })
  const email = await sininho.mail('leo@example.com')
  const list = async () => sininho.commandAs(await operatorToken(sininho), 'waitlist', 'list', '--json')
  await page.goto(links(email).at(-1)!)
  await expect(title(page, 'Sair da lista de espera?')).toBeVisible()
  expect(await list()).toMatch(/"email":\s*"leo@example\.com"[^}]*"status":\s*"unconfirmed"/)
  await page.getByRole('button', { name: 'Sair da lista' }).click()
  await expect(title(page, 'Saiu da lista de espera')).toBeFocused()
  expect(await list()).not.toContain('leo@example.com')
  await page.goto(links(email)[0]!)
  await expect(title(page, 'Este link já não serve')).toBeVisible()
  await page.getByRole('link', { name: 'Ir para a lista de espera' }).click()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
})

test('the page of a place is not indexed and sends no referrer', async ({ page, sininho }) => {
  const response = await page.request.get(`${sininho.url}/waitlist/swt_x`, { headers: { Accept: 'text/html' } })
  expect(response.headers()).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
})

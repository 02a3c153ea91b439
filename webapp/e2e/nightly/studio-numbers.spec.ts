import { type APIRequestContext, type Page, request } from '@playwright/test'
import { chromium } from '../support/browsers.ts'
import { Bare } from '../support/bare.ts'
import { Notifyd } from '../support/notifyd.ts'
import type { Sininho } from '../support/sininho.ts'
import { Taps } from '../support/taps.ts'
import { expect, test } from '../support/test.ts'

test.use({
  settings: { PUSH: 'webpush', ANALYTICS: 'off' }, // of the server whose stand-ins it uses
  // the headless shell has no push service, and does not say so
  launchOptions: ({ launchOptions }, use) => use({ ...launchOptions, executablePath: chromium }),
})

/** Followers beside the one in a real browser, of whom some see and some open what they get. */
const [followers, seeing, opening] = [30, 12, 5]

type Follower = { person: APIRequestContext; endpoint: string }

/** Makes somebody without an account follow a channel, with a device of the push service's stand-in. */
async function follow(url: string, pushUrl: string, channelId: string): Promise<Follower> {
  const person = await request.newContext({ baseURL: url })
  const done = async (path: string, data?: object) => {
    const response = await person.post(`/api/v1${path}`, { data })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  }
  await done('/auth/anonymous')
  await done(`/subscribers/channels/${channelId}/subscribe`)
  const subscription = (await (await person.post(`${pushUrl}/subscriptions`)).json()) as { endpoint: string }
  const device = { installationId: crypto.randomUUID(), kind: 'webpush', platform: 'web', name: 'Telemóvel' }
  await done('/subscribers/devices', { ...device, ...subscription })
  return { person, endpoint: subscription.endpoint.split('/').at(-1)! }
}

/** Signs somebody in by email, and creates their channel. Returns its id. */
async function begin(page: Page, { url }: Bare, sininho: Sininho): Promise<string> {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill('rita@example.com')
  await page.getByRole('button', { name: 'Receber um código' }).click()
  await page.getByLabel('Código de 8 algarismos').fill(await sininho.code('rita@example.com'))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
  const api = `${url}/api/v1`
  await page.request.put(`${api}/subscribers/onboarding`, { data: { step: 'done' } })
  await page.request.post(`${api}/publishers`, { data: { slug: 'escola', name: 'Escola' } })
  const { data } = (await (await page.request.get(`${api}/categories`)).json()) as { data: { id: string }[] }
  const channel = { publisherSlug: 'escola', slug: 'avisos', name: 'Avisos', categoryId: data[0]!.id }
  return ((await (await page.request.post(`${api}/channels`, { data: channel })).json()) as { id: string }).id
}

test('the numbers of a studio publish rise to the exact counts, through restarts of the server', async ({
  page: studio,
  profile,
  sininho,
}) => {
  test.setTimeout(400_000)
  const bare = await Bare.start(sininho)
  try {
    const channel = await begin(studio, bare, sininho)
    await profile.grantPermissions(['notifications'], { origin: bare.url })
    await profile.addCookies([{ name: 'sininho_language', value: 'pt-PT', url: bare.url }])
    const { page: parent } = await Taps.open(profile)
    await parent.goto(`${bare.url}/channels/escola/avisos`)
    await parent.getByRole('button', { name: 'Receber Avisos' }).click()
    await expect(async () => {
      const { data } = await (await parent.request.get(`${bare.url}/api/v1/subscribers/devices`)).json()
      expect(data[0]).toHaveProperty('ringsSince')
    }).toPass()
    await parent.goto('about:blank')
    const all: Follower[] = []
    while (all.length < followers) all.push(await follow(bare.url, sininho.pushUrl, channel))
    const hanging = all.slice(followers / 2).map(({ endpoint }) => ({ endpoint, hang: true }))
    for (const data of hanging)
      expect((await studio.request.post(`${sininho.pushUrl}/faults`, { data })).ok()).toBe(true)

    await studio.goto(`${bare.url}/studio/escola/avisos/write`)
    await studio.getByRole('textbox', { name: 'O que quer dizer?' }).fill('Não há aulas amanhã\nPor causa da neve.')
    await studio.getByRole('button', { name: 'Publicar', exact: true }).click()
    await studio.getByRole('button', { name: /^Não há aulas amanhã/ }).click()
    const numbers = await studio.context().newPage()
    await numbers.goto(`${bare.url}/studio/escola/avisos/numbers`)
    const became = studio.getByRole('region', { name: 'O que aconteceu a «Não há aulas amanhã»' })
    const count = (what: string) =>
      became
        .locator('div', { has: studio.getByText(what, { exact: true }) })
        .last()
        .getByRole('definition')
    await expect(count('por entregar')).toHaveText(/^[1-9]\d*$/)
    const note = await Notifyd.here().shown('Não há aulas amanhã')

    await bare.end('SIGKILL')
    await studio.request.delete(`${sininho.pushUrl}/faults`)
    await bare.serve()
    await expect(count('entregues')).toHaveText(String(followers + 1), { timeout: 120_000 })
    await expect(count('por entregar')).toHaveCount(0)
    const { id } = (await (
      await studio.request.get(`${bare.url}/api/v1/channels/escola/avisos/notifications`)
    )
      .json()
      .then(({ data }) => data[0])) as { id: string }
    const report = async ({ person }: Follower, type: string) => {
      const told = await person.post(`/api/v1/subscribers/notifications/${id}/events`, { data: { type } })
      expect(told.ok(), await told.text()).toBe(true)
    }
    for (const each of all.slice(0, seeing)) await report(each, 'displayed')
    await bare.end('SIGTERM')
    await bare.serve()
    for (const each of all.slice(0, opening)) await report(each, 'opened')
    const opened = profile.waitForEvent('page')
    await Notifyd.here().click(note)
    await expect(await opened).toHaveURL(/notification=/)

    await expect(count('abriram-na')).toHaveText(String(opening + 1), { timeout: 60_000 })
    await expect(count('viram-na no ecrã')).toHaveText(String(seeing + 1))
    await expect(count('entregues')).toHaveText(String(followers + 1))
    await expect(numbers.getByRole('figure', { name: 'Envios por dia' })).toContainText(
      `Entregues · Total: ${followers + 1}`,
    )
    for (const { person } of all) await person.dispose()
  } finally {
    await bare.stop()
  }
})

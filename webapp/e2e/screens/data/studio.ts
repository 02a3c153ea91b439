import { type Page, request } from '@playwright/test'
import type { Sininho } from '../../support/sininho.ts'

/** Makes a channel of the page's own person, with what it has published and what is scheduled. Returns its studio. */
export async function studio(page: Page, sininho: Sininho): Promise<string> {
  const slug = sininho.slug('rancho-da-serra')
  const { data } = (await (await page.request.get('/api/v1/categories')).json()) as { data: { id: string }[] }
  const channel = { publisherSlug: slug, slug: 'ensaios', name: 'Ensaios', categoryId: data[0]!.id, keepDays: 90 }
  await page.request.post('/api/v1/publishers', { data: { slug, name: 'Rancho da Serra' } })
  await page.request.post('/api/v1/channels', { data: channel })
  const path = `/api/v1/channels/${slug}/ensaios/notifications`
  const inAMonth = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()
  for (const notification of [
    { title: 'Ensaio de sábado passa para as 18h', body: 'No salão da junta. Tragam as castanholas.' },
    { title: 'Fotografias da romaria', link: 'https://example.com/romaria' },
    { title: 'Jantar de Natal do rancho', body: 'Inscrições com a Dona Alzira.', scheduledAt: inAMonth },
  ])
    await page.request.post(path, { data: notification })
  return `/studio/${slug}/ensaios`
}

/** Adds a draft and a template, which asks for two fields, to such a channel. */
export async function begun(page: Page, sininho: Sininho): Promise<string> {
  const path = await studio(page, sininho)
  const channel = `/api/v1/channels/${path.slice('/studio/'.length)}`
  await page.request.post(`${channel}/drafts`, {
    data: { content: { title: 'Jantar de Reis', body: 'Falta a hora.' } },
  })
  const content = { title: 'Não há ensaio na {{dia}}', body: 'Voltamos na {{volta}}.' }
  await page.request.post(`${channel}/templates`, { data: { name: 'Não há ensaio', content } })
  await page.request.post(`${channel}/templates`, {
    data: {
      name: 'Ensaio',
      content: { title: 'Ensaio logo às 21h', body: 'No salão da junta.' },
      plan: { makes: 'notification', weekdays: ['tuesday', 'friday'], time: '12:00', timezone: 'Europe/Lisbon' },
    },
  })
  return path
}

/** Opens how much such a channel keeps: 90 days. */
export async function keeping(page: Page, sininho: Sininho) {
  await page.goto(`${await studio(page, sininho)}/edit`)
  await page.getByRole('button', { name: 'Conservação' }).click()
  await page.getByRole('form', { name: 'Conservação das notificações' }).waitFor()
}

/** Makes such a channel private, with a member, somebody who asks to be one, and an invitation by email. */
export async function members(page: Page, sininho: Sininho): Promise<string> {
  const path = await studio(page, sininho)
  const channel = `/api/v1${path.replace('/studio', '/channels')}`
  await page.request.patch(channel, { data: { visibility: 'private' } })
  for (const approval of [false, true]) {
    const made = await page.request.post(`${channel}/invitations`, { data: { approval, maxUses: 30 } })
    const { secret } = (await made.json()) as { secret: string }
    const other = await request.newContext({ baseURL: sininho.url })
    await other.get(`/api/v1/auth/google?login_hint=${sininho.person().email}`)
    await other.post('/api/v1/channel-invitations/accept', { data: { secret } })
    await other.dispose()
  }
  await page.request.post(`${channel}/invitations`, { data: { email: 'alzira@example.com' } })
  return `${path}/members`
}

/** What GitHub posts when an issue is opened. */
export const issue = {
  action: 'opened',
  issue: {
    number: 7,
    title: 'Não arranca',
    state: 'open',
    html_url: 'https://github.com/rancho-da-serra/site/issues/7',
  },
  repository: { full_name: 'rancho-da-serra/site', html_url: 'https://github.com/rancho-da-serra/site' },
  sender: { login: 'ana' },
}

/** Makes webhooks of such a channel, and has one of them receive what it publishes and what it does not. */
export async function webhooks(page: Page, sininho: Sininho): Promise<string> {
  const path = await studio(page, sininho)
  const list = `/api/v1${path.replace('/studio', '/channels')}/webhooks`
  await page.request.post(list, { data: { name: 'Grafana da bilheteira', sender: 'grafana' } })
  const input = { name: 'Página do rancho', sender: 'github', signing: 'none' }
  const { id, url } = (await (await page.request.post(list, { data: input })).json()) as { id: string; url: string }
  const post = (kind: string, data: object) => page.request.post(url, { headers: { 'X-GitHub-Event': kind }, data })
  await post('ping', { zen: 'Keep it logically awesome.' })
  await post('issues', issue)
  return `${path}/webhooks?id=${id}`
}

/** Makes a webhook of the person's own program, which has sent something that is no notification. */
export async function ownProgram(page: Page, sininho: Sininho): Promise<string> {
  const path = await studio(page, sininho)
  const data = { name: 'Bilheteira', signing: 'none' }
  const made = await page.request.post(`/api/v1${path.replace('/studio', '/channels')}/webhooks`, { data })
  const { id, url } = (await made.json()) as { id: string; url: string }
  await page.request.post(url, { data: { local: 'Casa do Povo', vendidos: 87 } })
  return `${path}/webhooks?id=${id}`
}

/** Makes a program that is told what becomes of the notifications of such a channel's publisher, and is not confirmed. */
export async function endpoint(page: Page, sininho: Sininho): Promise<string> {
  const [, , slug] = (await studio(page, sininho)).split('/')
  const data = { name: 'Painel do rancho', url: 'http://127.0.0.1:9/painel' }
  await page.request.post(`/api/v1/publishers/${slug}/event-endpoints`, { data })
  return `/studio/${slug}`
}

import type { Page } from '@playwright/test'
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
  return path
}

/** Opens how much such a channel keeps: 90 days. */
export async function keeping(page: Page, sininho: Sininho) {
  await page.goto(`${await studio(page, sininho)}/edit`)
  await page.getByRole('button', { name: 'Conservação' }).click()
  await page.getByRole('form', { name: 'Conservação das notificações' }).waitFor()
}

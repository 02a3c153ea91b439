import type { Page } from '@playwright/test'
import type { Sininho } from '../../support/sininho.ts'

/** Opens how much a new channel of the page's own person keeps: 90 days. */
export async function keeping(page: Page, sininho: Sininho) {
  const slug = sininho.slug('rancho-da-serra')
  const { data } = (await (await page.request.get('/api/v1/categories')).json()) as { data: { id: string }[] }
  const channel = { publisherSlug: slug, slug: 'ensaios', name: 'Ensaios', categoryId: data[0]!.id, keepDays: 90 }
  await page.request.post('/api/v1/publishers', { data: { slug, name: 'Rancho da Serra' } })
  await page.request.post('/api/v1/channels', { data: channel })
  await page.goto(`/channels/${slug}/ensaios`)
  await page.getByRole('button', { name: 'Conservação' }).click()
  await page.getByRole('form', { name: 'Conservação das notificações' }).waitFor()
}

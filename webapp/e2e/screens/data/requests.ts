import type { Page } from '@playwright/test'
import { publishersSetTo } from './config.ts'

const request = {
  id: crypto.randomUUID(),
  asker: { id: crypto.randomUUID(), name: 'Rita Serrano', email: 'rita@rancho-da-serra.example' },
  slug: 'rancho-da-serra',
  name: 'Rancho Folclórico da Serra',
  reason: 'Avisar os pais dos ensaios, das saídas e das mudanças de horário.',
  createdAt: '2026-03-01T12:00:00Z',
}

/** A server where operators approve publishers, and what one has made of the person's request, if there is one. */
export async function mockRequest(page: Page, status?: 'pending' | 'refused') {
  await publishersSetTo(page, 'request')
  const answer = status === 'refused' && { answer: 'Escreva-nos do endereço do rancho, para sabermos que é ele.' }
  await page.route('**/api/v1/subscribers/publisher-request', (route) =>
    route.fulfill(status ? { json: { ...request, status, ...answer } } : { status: 404, json: {} }),
  )
}

/** What waits for an operator. */
export async function mockRequests(page: Page) {
  const asker = { id: crypto.randomUUID(), name: 'Tiago' }
  const data = [
    { ...request, status: 'pending' },
    { ...request, id: crypto.randomUUID(), asker, slug: 'padaria', name: 'Padaria', reason: '', status: 'pending' },
  ]
  await page.route('**/api/v1/admin/publisher-requests**', (route) =>
    route.fulfill({ json: { data, meta: { total: data.length } } }),
  )
}

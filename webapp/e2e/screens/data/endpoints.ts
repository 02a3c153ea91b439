import type { Page } from '@playwright/test'

/** Event endpoints that fail, which takes a server days. */
export async function mockEndpoints(page: Page) {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const endpoint = { id: crypto.randomUUID(), publisherSlug: 'vila-nova', name: 'Painel da Câmara', enabled: true }
  const data = [
    {
      ...endpoint,
      id: crypto.randomUUID(),
      host: 'hooks.vila-nova.example:443',
      enabled: false,
      failingSince: ago(7900),
      disabledAt: ago(700),
      lastError: 'its certificate has expired or is not valid yet',
      pending: 1204,
    },
    {
      ...endpoint,
      publisherSlug: 'metro',
      name: 'Alertas',
      host: 'api.metro.example:443',
      failingSince: ago(90),
      pausedUntil: ago(-40),
      lastStatus: 503,
      pending: 12,
    },
  ]
  await page.route('**/api/v1/admin/event-endpoints**', (route) =>
    route.fulfill({ json: { data, meta: { total: data.length } } }),
  )
}

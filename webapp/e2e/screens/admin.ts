import { mockEndpoints } from './data/endpoints.ts'
import { mockHealth } from './data/health.ts'
import { mockRequests } from './data/requests.ts'
import { joined } from './data/waitlist.ts'
import { type Screen, show } from './screen.ts'

/** What operators see. */
export const admin: Record<string, Screen> = {
  admin: {
    path: '/admin',
    operator: true,
    arrange: (page) => mockHealth(page),
    ready: (page) => page.getByRole('figure', { name: 'Envios' }).waitFor(),
  },
  'admin-numbers': {
    path: '/admin?hours=2',
    operator: true,
    arrange: (page) => mockHealth(page),
    ready: async (page) => {
      const pushes = page.getByRole('figure', { name: 'Envios' })
      await pushes.getByText('Ver os números').click()
      await pushes.getByRole('table').waitFor()
      await pushes.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
    },
  },
  'admin-servers': {
    path: '/admin',
    operator: true,
    arrange: (page) => mockHealth(page),
    ready: async (page) => {
      await page.getByRole('row', { name: /sininho-2/ }).waitFor()
      await show(page, 'Servidores')
    },
  },
  'admin-reports': {
    path: '/admin/reports',
    operator: true,
    arrange: async (_, sininho) => sininho.report(await sininho.newChannel()),
    ready: (page) =>
      page
        .getByRole('link', { name: /^banco-da-praca/ })
        .first()
        .waitFor(),
  },
  'admin-requests': {
    path: '/admin/requests',
    operator: true,
    arrange: (page) => mockRequests(page),
    ready: (page) => page.getByRole('button', { name: 'Aprovar Padaria' }).waitFor(),
  },
  'admin-suspend': {
    path: '/admin/reports',
    operator: true,
    arrange: async (_, sininho) => sininho.report(await sininho.newChannel()),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Suspender canal' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Suspender' }).click()
      await page.getByText('Escreva o motivo.').waitFor()
    },
  },
  'admin-moderation': {
    path: '/admin/moderation',
    operator: true,
    arrange: async (page, sininho) => {
      const { address } = await sininho.newChannel()
      const reason = 'Faz-se passar por um banco e pede o código do cartão.'
      await page.request.put(`/api/v1/admin/channels/${address}/suspension`, { data: { reason } })
    },
    ready: (page) =>
      page
        .getByRole('button', { name: /^Levantar a suspensão de banco-da-praca/ })
        .first()
        .waitFor(),
  },
  'admin-found': {
    path: '/admin/moderation?kind=publishers&q=vila',
    operator: true,
    ready: (page) => page.getByRole('button', { name: 'Suspender vila-nova' }).waitFor(),
  },
  'admin-audit': {
    path: '/admin/audit',
    operator: true,
    arrange: async (page, sininho) => {
      const { address, notification } = await sininho.newChannel()
      const data = { reason: 'Burla' }
      await page.request.put(`/api/v1/admin/channels/${address}/suspension`, { data })
      await page.request.put(`/api/v1/admin/notifications/${notification}/withdrawal`, { data })
    },
    ready: (page) => page.getByText('Retirou a notificação').first().waitFor(),
  },
  'admin-categories': {
    path: '/admin/categories',
    operator: true,
    ready: (page) =>
      page
        .getByRole('button', { name: /^Alterar / })
        .first()
        .waitFor(),
  },
  'admin-category': {
    path: '/admin/categories',
    operator: true,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Criar categoria' }).click()
      await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Saúde e bem-estar')
    },
  },
  'admin-waitlist': {
    path: '/admin/waitlist',
    operator: true,
    ready: async (page, sininho) => {
      for (let count = 0; count < 3; count++) await page.goto((await joined(page, sininho))[0]!)
      await page.getByRole('heading', { name: /este é o seu lugar/ }).waitFor()
      await page.goto('/admin/waitlist?status=waiting')
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('button', { name: 'Convidar 1 pessoa' }).waitFor()
    },
  },
  'admin-endpoints': {
    path: '/admin/endpoints',
    operator: true,
    arrange: (page) => mockEndpoints(page),
    ready: (page) => page.getByText('Alertas (metro)').waitFor(),
  },
  'admin-settings': {
    path: '/admin/settings',
    operator: true,
    ready: (page) => page.getByRole('rowheader', { name: 'SECRET_KEY' }).waitFor(),
  },
  'admin-empty': {
    path: '/admin/reports?state=dismissed',
    operator: true,
    ready: (page) => page.getByText('Ainda nenhuma denúncia foi rejeitada.').waitFor(),
  },
  'admin-failed': {
    path: '/admin/endpoints',
    operator: true,
    arrange: async (page) => {
      const body = { type: 'about:blank', title: 'Pedido inválido', status: 422, code: 'invalid', requestId: 'r' }
      await page.route('**/api/v1/admin/event-endpoints**', (route) =>
        route.fulfill({ status: 422, json: body, contentType: 'application/problem+json' }),
      )
    },
    ready: (page) => page.getByRole('alert').waitFor({ timeout: 60_000 }),
  },
}

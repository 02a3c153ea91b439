import type { Page } from '@playwright/test'
import { type Sininho, links } from './support/sininho.ts'
import { follow, signInElsewhere, toastsLoaded, workerReady } from './support/test.ts'

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
export const schemes = ['light', 'dark'] as const

type Screen = {
  path: string
  signedIn?: boolean
  operator?: boolean
  ready: (page: Page, sininho: Sininho) => Promise<void>
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const card = async (page: Page) => {
  await heading(page)
  await page.getByRole('article').first().waitFor()
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/**
 * Creates two devices, two access tokens, a session of a phone and quiet hours. The devices receive no pushes: one that is held during the
 * quiet hours would keep a dispatch of another test open until the morning.
 */
async function fillSettings(page: Page) {
  const me = '/api/v1/subscribers'
  const followed = (await (await page.request.get(`${me}/channels`)).json()) as { data: { channel: { id: string } }[] }
  for (const { channel } of followed.data) {
    await page.request.patch(`${me}/channels/${channel.id}`, { data: { bell: 'none' } })
  }
  for (const name of ['Chrome no Android', 'Firefox no Windows']) {
    const address = crypto.randomUUID()
    const data = { installationId: address, kind: 'token', address, platform: 'web', name }
    await page.request.post(`${me}/devices`, { data })
  }
  for (const name of ['sininho em portatil', 'cópia de segurança']) {
    await page.request.post(`${me}/access-tokens`, { data: { name } })
  }
  await page.request.patch(`${me}/me`, { data: { quietHours: { start: '22:00', end: '07:00' } } })
  await signInElsewhere(page, phone)
  await page.reload()
  await heading(page)
}

const show = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section })
    .evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))

/** Scrolls to the form of the waiting list, which is there where sign-up is by invitation. */
async function form(page: Page) {
  await page.context().route('**/config.js', async (route) => {
    const body = (await (await route.fetch()).text()).replace(/"SIGN_UP": "\w+"/, '"SIGN_UP": "invitation"')
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  await page.reload()
  await page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first().waitFor()
  await show(page, 'Entre na lista de espera')
}

/** Joins as a new person. Returns the links in their email; the last one is for leaving. */
async function joined(page: Page, sininho: Sininho) {
  const email = `${crypto.randomUUID()}@example.com`
  await page.request.post('/api/v1/waitlist/entries', { data: { email, name: 'Ana' } })
  return links(await sininho.mail(email))
}

/** Opens how much a new channel of the page's own person keeps: 90 days. */
export async function keeping(page: Page) {
  const slug = `rancho-${crypto.randomUUID().slice(0, 8)}`
  const { data } = (await (await page.request.get('/api/v1/categories')).json()) as { data: { id: string }[] }
  const channel = { publisherSlug: slug, slug: 'ensaios', name: 'Ensaios', categoryId: data[0]!.id, keepDays: 90 }
  await page.request.post('/api/v1/publishers', { data: { slug, name: 'Rancho da Serra' } })
  await page.request.post('/api/v1/channels', { data: channel })
  await page.goto(`/channels/${slug}/ensaios`)
  await page.getByRole('button', { name: 'Conservação' }).click()
  await page.getByRole('form', { name: 'Conservação das notificações' }).waitFor()
}

/** Figures of a day with an outage of the push service at noon, instead of those of a server that has just started. */
async function mockHealth(page: Page) {
  const until = Math.floor(Date.now() / 300_000) * 300_000
  const parts = Array.from({ length: 288 }, (_, index) => {
    const day = Math.sin((index / 288) * Math.PI) ** 2
    const noise = ((index * 7919) % 13) / 13
    const outage = index > 150 && index < 162
    const published = Math.round(40 * day + 6 * noise)
    return {
      at: new Date(until - (287 - index) * 300_000).toISOString(),
      jobs: outage ? (index - 150) * 22 : Math.round(3 * noise),
      oldestSeconds: outage ? (index - 150) * 290 : noise,
      events: outage ? 40 : 0,
      published,
      accepted: outage ? 0 : published * 240,
      failed: noise > 0.9 ? { unregistered: 12 } : {},
      expired: index === 162 ? { withdrawn: 240 } : {},
      retried: outage ? { unavailable: 4200 } : noise > 0.8 ? { quota: 60 } : {},
      streams: Math.round(900 * day + 80 * noise + 120),
      requests: Math.round(5200 * day + 600 * noise + 300),
      errors: outage ? 14 : 0,
    }
  })
  const nodes = ['sininho-1:8080', 'sininho-2:8080'].map((name, index) => ({
    name,
    seenAt: new Date(Date.now() - 20_000 - index * 720_000).toISOString(),
    streams: 412 - index * 30,
    requests: 412_930 - index * 20_412,
    errors: 71 + index,
  }))
  const health = {
    from: new Date(until - 86_400_000).toISOString(),
    until: new Date().toISOString(),
    partSeconds: 300,
    queue: { jobs: 2, oldestSeconds: 0.4, events: 0 },
    nodes,
    parts,
  }
  await page.route('**/api/v1/admin/health**', (route) => route.fulfill({ json: health }))
}

/** Event endpoints that fail, which takes a server days. */
async function mockEndpoints(page: Page) {
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

/** Follows channels, and leaves some of what they have published unread, most of it read, and something archived. */
export async function fillFeed(page: Page) {
  for (const channel of ['demo/novidades', 'vila-nova/tempo', 'metro/linhas']) await follow(page, channel)
  const all = '/api/v1/subscribers/notifications'
  const { data } = (await (await page.request.get(all)).json()) as { data: { id: string }[] }
  const patch = (at: number, change: object) => page.request.patch(`${all}/${data.at(at)!.id}`, { data: change })
  for (const at of [0, 2, 3]) await patch(at, { read: false })
  await patch(-1, { archived: true })
}

/** Waits until the pictures in sight are decoded, and a cover has its colour. */
async function painted(page: Page) {
  await page.waitForFunction(() => {
    const inSight = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect()
      return width > 0 && bottom > 0 && top < innerHeight && image.checkVisibility({ visibilityProperty: true })
    })
    return inSight.every(({ complete }) => complete) && !document.querySelector('[data-tinted=false]')
  })
  await page.evaluate(async () => {
    await Promise.allSettled([...document.images].filter(({ complete }) => complete).map((image) => image.decode()))
    await document.fonts.ready
  })
}

const all: Record<string, Screen> = {
  index: {
    path: '/',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first().waitFor()
    },
  },
  waitlist: { path: '/', ready: form },
  'waitlist-wrong': {
    path: '/?ref=k7p2m9xq',
    ready: async (page) => {
      await form(page)
      await page.getByRole('textbox', { name: 'E-mail' }).fill('ana')
      await page.getByRole('button', { name: 'Guardar o meu lugar' }).click()
      await page.getByText('Escreva o endereço completo').waitFor()
    },
  },
  'waitlist-sent': {
    path: '/',
    ready: async (page) => {
      await form(page)
      await page.getByRole('textbox', { name: 'E-mail' }).fill(`${crypto.randomUUID()}@example.com`)
      await page.getByRole('button', { name: 'Guardar o meu lugar' }).click()
      await page.getByRole('heading', { name: 'Veja o seu e-mail' }).waitFor()
    },
  },
  'waitlist-place': {
    path: '/',
    ready: async (page, sininho) => {
      await page.goto((await joined(page, sininho))[0]!)
      await page.getByRole('heading', { name: 'Ana, este é o seu lugar' }).waitFor()
    },
  },
  'waitlist-leave': {
    path: '/',
    ready: async (page, sininho) => {
      await page.goto((await joined(page, sininho)).at(-1)!)
      await page.getByRole('heading', { name: 'Sair da lista de espera?' }).waitFor()
    },
  },
  'waitlist-unknown': {
    path: '/waitlist/swt_nada',
    ready: (page) => page.getByRole('heading', { name: 'Este link já não serve' }).waitFor(),
  },
  login: { path: '/login', ready: heading },
  'login-invitation': { path: '/login?invitation=swi_nada', ready: heading },
  'login-uninvited': { path: '/login?error=uninvited', ready: heading },
  'login-suspended': { path: '/login?error=suspended', ready: heading },
  'login-failed': { path: '/login?error=denied', ready: heading },
  'login-known': { path: '/login?error=known_address', ready: heading },
  'login-code': { path: '/login/code', ready: heading },
  'login-device': { path: '/login/device', signedIn: true, ready: heading },
  'login-device-unknown': {
    path: '/login/device',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('textbox', { name: /^Código/ }).fill('BCDF-GHJK')
      await page.getByRole('button', { name: 'Continuar' }).click()
      await page.getByRole('heading', { name: 'Código desconhecido' }).waitFor()
    },
  },
  demo: { path: '/demo', ready: heading },
  'not-found': { path: '/nada', ready: heading },
  privacy: { path: '/privacy', ready: heading },
  terms: { path: '/terms', ready: heading },
  channels: {
    path: '/channels',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('link', { name: 'Seguir Novidades' }).waitFor()
    },
  },
  'channels-found': {
    path: '/channels?q=metro',
    ready: (page) =>
      page
        .getByRole('navigation', { name: 'Quem publica' })
        .getByRole('link', { name: /^Metro/ })
        .waitFor(),
  },
  channel: { path: '/channels/demo/novidades', ready: card },
  'channel-followers': {
    path: '/channels/demo/novidades',
    ready: async (page) => {
      await card(page)
      if (page.viewportSize()!.width < 768) await page.getByRole('button', { name: /^\d+ seguidores$/ }).click()
      await page.getByText('Ver os números').click()
      await page.getByRole('table').waitFor()
    },
  },
  publisher: {
    path: '/channels/vila-nova',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('link', { name: 'Tempo e avisos', exact: true }).waitFor()
    },
  },
  'publisher-long': {
    path: '/channels/vila-nova',
    ready: async (page) => {
      await page.route('**/api/v1/publishers/vila-nova', async (route) => {
        const publisher = (await (await route.fetch()).json()) as object
        const name = 'Associação dos Amigos do Elétrico 28, das Linhas do Monte e dos Transportes da Cidade Alta'
        const description = 'Os avisos de todas as linhas, de manhã à noite. '.repeat(20)
        const website = `https://www.${'uma-associacao-com-um-nome-muito-comprido-'.repeat(2)}x.example/`
        await route.fulfill({ json: { ...publisher, name, description, website } })
      })
      await page.reload()
      await page.getByRole('button', { name: 'Ler mais' }).waitFor()
      await page.getByRole('link', { name: 'Tempo e avisos', exact: true }).waitFor()
    },
  },
  'publisher-missing': { path: '/channels/nada', ready: heading },
  'channel-missing': { path: '/channels/demo/nada', ready: heading },
  feed: { path: '/feed', signedIn: true, ready: card },
  'feed-opened': {
    path: '/feed',
    signedIn: true,
    ready: async (page) => {
      await card(page)
      await page.getByRole('article').first().getByRole('heading').getByRole('button').click()
      // beside the list where there is room, and in its row otherwise
      const pane = page.getByRole('region', { name: 'A notificação que abriu' }).getByRole('heading')
      if (await page.evaluate(() => matchMedia('(min-width: 73.75em)').matches)) await pane.waitFor()
    },
  },
  'feed-keys': {
    path: '/feed',
    signedIn: true,
    ready: async (page) => {
      await card(page)
      await page.locator('[aria-haspopup=dialog][title="Atalhos do teclado"]').waitFor({ state: 'attached' })
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Atalhos do teclado' }).waitFor()
    },
  },
  'feed-archived': { path: '/feed?part=archived', signedIn: true, ready: card },
  'feed-search': { path: '/feed?q=linha', signedIn: true, ready: card },
  'feed-nothing': {
    path: '/feed?q=zzz',
    signedIn: true,
    ready: (page) => page.getByText('Nada encontrado').waitFor(),
  },
  notification: {
    path: '/channels/demo/novidades/00000000-0000-0000-0000-000000000000',
    ready: async (page) => {
      await page.goto('/channels/demo/novidades')
      await card(page)
      await page.getByRole('article').first().locator('time').click()
      await page.waitForURL(/[0-9a-f-]{36}$/)
      await page.getByRole('region', { name: 'Mais de Novidades' }).waitFor()
      await page.getByRole('button', { name: 'Partilhar' }).waitFor()
    },
  },
  'feed-channel': { path: '/feed?channel=demo/novidades', signedIn: true, ready: card },
  'feed-missing': {
    path: '/feed?channel=demo/nada',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('alert').waitFor()
    },
  },
  onboarding: {
    path: '/onboarding',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  invitations: {
    path: '/invitations',
    signedIn: true,
    ready: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      await sininho.invite(email, { name: 'Associação dos Amigos do Elétrico 28 e das Linhas do Monte', role: 'owner' })
      await page.reload()
      await page.getByRole('button', { name: /^Aceitar o convite de Rádio/ }).waitFor()
    },
  },
  'invitations-accepted': {
    path: '/invitations',
    signedIn: true,
    ready: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      await page.reload()
      await page.getByRole('button', { name: /^Aceitar o convite/ }).click()
      await page.getByRole('heading', { name: /^Já participa/ }).waitFor()
    },
  },
  'invitations-none': {
    path: '/invitations',
    signedIn: true,
    ready: (page) => page.getByText('Não tem convites à espera').waitFor(),
  },
  'feed-invited': {
    path: '/feed',
    signedIn: true,
    ready: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      await page.reload()
      await page.getByRole('link', { name: 'Tem um convite à espera' }).waitFor()
      await card(page)
    },
  },
  settings: {
    path: '/settings',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('navigation', { name: 'Partes das preferências' }).waitFor()
    },
  },
  'settings-profile': {
    path: '/settings/profile',
    signedIn: true,
    ready: (page) => page.getByRole('textbox', { name: 'Nome' }).waitFor(),
  },
  'settings-notifications': {
    path: '/settings/notifications',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByText('Silêncio das 22:00').waitFor()
    },
  },
  'settings-devices': {
    path: '/settings/devices',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Remover Firefox no Windows' }).waitFor()
    },
  },
  'settings-remove': {
    path: '/settings/devices',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Remover Firefox no Windows' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'settings-app': {
    path: '/settings/app',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('region', { name: 'Instalar o Sininho' }).waitFor()
      await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')))
      await page.getByRole('button', { name: 'Instalar' }).waitFor()
    },
  },
  'settings-app-iphone': {
    path: '/settings/app',
    signedIn: true,
    ready: async (page) => {
      await page.addInitScript(
        (userAgent) => Object.defineProperty(navigator, 'userAgent', { value: userAgent }),
        phone,
      )
      await page.reload()
      await page.getByText('Toque em Partilhar').waitFor()
    },
  },
  'settings-security': {
    path: '/settings/security',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Terminar Safari no iOS' }).waitFor()
    },
  },
  'settings-publishing': {
    path: '/settings/publishing',
    signedIn: true,
    ready: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      await keeping(page)
      const reason = 'Publica em nome de outra associação.'
      await page.route('**/api/v1/channels?*publisher=*', async (route) => {
        const response = await route.fetch()
        const { data, meta } = (await response.json()) as { data: object[]; meta: object }
        const suspension = { reason, suspendedAt: new Date().toISOString() }
        await route.fulfill({ json: { data: data.map((channel) => ({ ...channel, suspension })), meta } })
      })
      await page.goto('/settings/publishing')
      await page.getByText(reason).waitFor()
      await page.getByRole('button', { name: /^Aceitar o convite/ }).waitFor()
    },
  },
  'settings-publishing-none': {
    path: '/settings/publishing',
    signedIn: true,
    ready: (page) => page.getByText('Tem algo para anunciar?').waitFor(),
  },
  'settings-token': {
    path: '/settings/tokens',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Criar token' }).click()
      const form = page.getByRole('form', { name: 'Novo token de acesso' })
      await form.getByRole('textbox', { name: 'Nome' }).fill('portátil')
      await form.getByRole('button', { name: 'Criar token' }).click()
      await page.getByRole('group', { name: /^O token/ }).waitFor()
      await page.getByRole('button', { name: 'Criar token' }).waitFor()
    },
  },
  'settings-delete': {
    path: '/settings/data',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Apagar a conta' }).click()
      await page.getByRole('textbox', { name: /Para confirmar/ }).fill('apagar')
    },
  },
  admin: {
    path: '/admin',
    operator: true,
    ready: async (page) => {
      await mockHealth(page)
      await page.reload()
      await page.getByRole('figure', { name: 'Envios' }).waitFor()
    },
  },
  'admin-numbers': {
    path: '/admin?hours=2',
    operator: true,
    ready: async (page) => {
      await mockHealth(page)
      await page.reload()
      const pushes = page.getByRole('figure', { name: 'Envios' })
      await pushes.getByText('Ver os números').click()
      await pushes.getByRole('table').waitFor()
      await pushes.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
    },
  },
  'admin-servers': {
    path: '/admin',
    operator: true,
    ready: async (page) => {
      await mockHealth(page)
      await page.reload()
      await page.getByRole('row', { name: /sininho-2/ }).waitFor()
      await show(page, 'Servidores')
    },
  },
  'admin-reports': {
    path: '/admin/reports',
    operator: true,
    ready: async (page, sininho) => {
      const channel = await sininho.newChannel()
      await sininho.report(channel)
      await page.reload()
      await page.getByRole('link', { name: channel.address }).first().waitFor()
    },
  },
  'admin-suspend': {
    path: '/admin/reports',
    operator: true,
    ready: async (page, sininho) => {
      await sininho.report(await sininho.newChannel())
      await page.reload()
      await page.getByRole('button', { name: 'Suspender o canal' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Suspender' }).click()
      await page.getByText('Escreva o motivo.').waitFor()
    },
  },
  'admin-moderation': {
    path: '/admin/moderation',
    operator: true,
    ready: async (page, sininho) => {
      const { address } = await sininho.newChannel()
      const reason = 'Faz-se passar por um banco e pede o código do cartão.'
      await page.request.put(`/api/v1/admin/channels/${address}/suspension`, { data: { reason } })
      await page.reload()
      await page.getByRole('button', { name: `Levantar a suspensão de ${address}` }).waitFor()
    },
  },
  'admin-found': {
    path: '/admin/moderation?kind=publishers&q=vila',
    operator: true,
    ready: (page) => page.getByRole('button', { name: 'Suspender vila-nova' }).waitFor(),
  },
  'admin-audit': {
    path: '/admin/audit',
    operator: true,
    ready: async (page, sininho) => {
      const { address, notification } = await sininho.newChannel()
      const data = { reason: 'Burla' }
      await page.request.put(`/api/v1/admin/channels/${address}/suspension`, { data })
      await page.request.put(`/api/v1/admin/notifications/${notification}/withdrawal`, { data })
      await page.reload()
      await page.getByText('Retirou a notificação').first().waitFor()
    },
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
      await page.getByRole('heading', { name: 'Ana, este é o seu lugar' }).waitFor()
      await page.goto('/admin/waitlist?status=waiting')
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('button', { name: 'Convidar 1 pessoa' }).waitFor()
    },
  },
  'admin-endpoints': {
    path: '/admin/endpoints',
    operator: true,
    ready: async (page) => {
      await mockEndpoints(page)
      await page.reload()
      await page.getByText('Alertas (metro)').waitFor()
    },
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
    ready: async (page) => {
      const body = { type: 'about:blank', title: 'Pedido inválido', status: 422, code: 'invalid', requestId: 'r' }
      await page.route('**/api/v1/admin/event-endpoints**', (route) =>
        route.fulfill({ status: 422, json: body, contentType: 'application/problem+json' }),
      )
      await page.reload()
      await page.getByRole('alert').waitFor({ timeout: 60_000 })
    },
  },
  'settings-operator': {
    path: '/settings',
    operator: true,
    ready: (page) => page.getByRole('link', { name: 'Administração' }).waitFor(),
  },
  'channel-bell': {
    path: '/channels/demo/novidades',
    signedIn: true,
    ready: async (page) => {
      await card(page)
      await page.getByRole('button', { name: /^Sino de/ }).click()
      await page.getByRole('button', { name: /^8 horas/ }).click()
      await page.getByRole('button', { name: /Silenciado/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'channel-keeping': {
    path: '/channels',
    signedIn: true,
    ready: async (page) => {
      await keeping(page)
      await page.getByRole('textbox', { name: 'Número de notificações' }).fill('0')
      await page.getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('ou deixe em branco.').waitFor()
    },
  },
  'channel-keeps-less': {
    path: '/channels',
    signedIn: true,
    ready: async (page) => {
      await keeping(page)
      await page.getByRole('textbox', { name: 'Dias' }).fill('30')
      await page.getByRole('button', { name: 'Guardar' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'channel-report': {
    path: '/channels/demo/novidades',
    signedIn: true,
    ready: async (page) => {
      await card(page)
      await page.getByRole('button', { name: 'Denunciar' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'channel-suspended': {
    path: '/channels/demo/novidades',
    ready: async (page) => {
      const body = { type: 'about:blank', title: 'Não encontrado', status: 404, code: 'suspended', requestId: 'r' }
      await page.route('**/api/v1/channels/demo/novidades**', (route) =>
        route.fulfill({ status: 404, contentType: 'application/problem+json', body: JSON.stringify(body) }),
      )
      await page.reload()
      await page.getByText('Este canal está suspenso').waitFor()
    },
  },
  'channels-nothing': {
    path: '/channels?q=nada-disto',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('link', { name: 'Limpar a procura' }).waitFor()
    },
  },
  'feed-menu': {
    path: '/feed',
    signedIn: true,
    ready: async (page) => {
      await card(page)
      await page.getByRole('button', { name: 'Opções' }).first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'demo-sent': {
    path: '/demo',
    ready: async (page) => {
      await heading(page)
      await page.getByText('Ao vivo').waitFor()
      await page.getByRole('button', { name: 'Enviar' }).click()
      await page.getByText('Tudo certo!').waitFor()
    },
  },
  'demo-wrong': {
    path: '/demo',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('textbox', { name: 'Título' }).fill('')
      await page.getByRole('button', { name: 'Enviar' }).click()
      await page.getByText('Escreva um título.').waitFor()
    },
  },
  'demo-offline': {
    path: '/demo',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Enviar', exact: true }).waitFor()
      await toastsLoaded(page)
      await workerReady(page)
      await page.context().setOffline(true)
      await page.getByText('Sem ligação. A mostrar o que já foi carregado.').waitFor()
      await page.getByRole('button', { name: 'Enviar', exact: true }).click()
      await page.getByRole('alert').getByRole('button', { name: 'Fechar aviso' }).focus() // a focused toast stays
    },
  },
  'onboarding-channels': {
    path: '/onboarding?step=channels',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page
        .getByRole('button', { name: /Seguir / })
        .first()
        .waitFor()
    },
  },
  'onboarding-notifications': {
    path: '/onboarding?step=notifications',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('button', { name: 'Agora não' }).waitFor()
    },
  },
}

/** Every screen, with a function that waits until it is complete. */
export const screens: Record<string, Screen> = Object.fromEntries(
  Object.entries(all).map(([name, { ready, ...screen }]): [string, Screen] => [
    name,
    {
      ...screen,
      ready: async (page, sininho) => {
        await ready(page, sininho)
        await painted(page)
      },
    },
  ]),
)

import type { Page } from '@playwright/test'

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
export const schemes = ['light', 'dark'] as const

type Screen = { path: string; signedIn?: boolean; ready: (page: Page) => Promise<void> }

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
const card = async (page: Page) => {
  await heading(page)
  await page.getByRole('article').first().waitFor()
}

/** Every screen, and when it is all there. */
export const screens: Record<string, Screen> = {
  index: {
    path: '/',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first().waitFor()
    },
  },
  login: { path: '/login', ready: heading },
  'login-failed': { path: '/login?error=denied', ready: heading },
  'login-device': { path: '/login/device', signedIn: true, ready: heading },
  'login-device-unknown': {
    path: '/login/device?code=BCDF-GHJK',
    signedIn: true,
    ready: (page) => page.getByRole('heading', { name: 'Código desconhecido' }).waitFor(),
  },
  demo: { path: '/demo', ready: card },
  'not-found': { path: '/nada', ready: heading },
  channels: {
    path: '/channels',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('link', { name: 'Seguir Novidades' }).waitFor()
    },
  },
  channel: { path: '/channels/demo/novidades', ready: card },
  'channel-missing': { path: '/channels/demo/nada', ready: heading },
  feed: { path: '/feed', signedIn: true, ready: card },
  'feed-channel': { path: '/feed?channel=demo/novidades', signedIn: true, ready: card },
  'feed-failed': {
    path: '/feed?channel=demo/nada',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('alert').waitFor({ timeout: 20_000 })
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
  settings: {
    path: '/settings',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByText('Nenhum dispositivo recebe notificações.').waitFor()
    },
  },
}

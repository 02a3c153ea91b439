import type { Page } from '@playwright/test'
import { commute } from './data/commuter.ts'
import { withoutAccount } from './data/receiving.ts'
import { type Screen, heading, card } from './screen.ts'

/** Waits until the channels of a commuter, and what they have unread, are there. */
async function groups(page: Page) {
  await card(page)
  await page.getByRole('navigation', { name: 'Canais que segue' }).getByRole('listitem').nth(40).waitFor()
  await page.locator('article[data-group]').first().waitFor()
}

/** The feed and its notifications. */
export const feed: Record<string, Screen> = {
  feed: { path: '/feed', signedIn: true, ready: card },
  'feed-large': {
    path: '/feed',
    signedIn: true,
    arrange: async (page) =>
      void (await page.addInitScript(() => origin !== 'null' && localStorage.setItem('sininho.text', 'large'))),
    ready: card,
  },
  'feed-silent': {
    path: '/feed',
    signedIn: true,
    arrange: async (page) =>
      void (await page.addInitScript(() => origin !== 'null' && localStorage.removeItem('sininho.silent'))),
    ready: async (page) => {
      await card(page)
      await page.getByRole('group', { name: 'Este dispositivo não toca.' }).waitFor()
    },
  },
  'feed-without-account': {
    path: '/feed',
    arrange: withoutAccount,
    ready: async (page) => {
      await card(page)
      await page.getByRole('link', { name: 'Guardar na minha conta' }).waitFor()
    },
  },
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
  'feed-commuter': { path: '/feed', signedIn: true, arrange: commute, ready: groups },
  'feed-group': {
    path: '/feed',
    signedIn: true,
    arrange: commute,
    ready: async (page) => {
      await groups(page)
      const deploys = page.getByRole('article').filter({ has: page.getByRole('button', { name: /^Deploys/ }) })
      await deploys.getByRole('heading').first().getByRole('button').click()
      await deploys.getByRole('article').first().waitFor()
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
  'feed-invited': {
    path: '/feed',
    signedIn: true,
    arrange: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
    },
    ready: async (page) => {
      await page.getByRole('link', { name: 'Tem um convite à espera' }).waitFor()
      await card(page)
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
}

import { onIPhone, withoutAccount } from './data/receiving.ts'
import { type Screen, heading, card } from './screen.ts'

/** The lists and pages of channels and publishers. */
export const discovery: Record<string, Screen> = {
  start: { path: '/start?channels=demo/novidades&text=large', ready: heading },
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
  'channel-without-account': {
    path: '/channels/demo/novidades',
    arrange: withoutAccount,
    ready: async (page) => {
      await card(page)
      await page.getByRole('button', { name: /^A seguir Novidades/ }).waitFor()
    },
  },
  'channel-home-screen': {
    path: '/channels/demo/novidades',
    arrange: onIPhone,
    ready: async (page) => {
      await card(page)
      await page.getByRole('button', { name: 'Receber Novidades' }).click()
      await page.getByText('Escolha «Adicionar ao ecrã principal».').waitFor()
    },
  },
  'channel-asked': {
    path: '/channels/demo/novidades?receive=true',
    ready: async (page) => {
      await card(page)
      await page.getByText(/Só falta um toque/).waitFor()
    },
  },
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
    arrange: async (page) => {
      await page.route('**/api/v1/publishers/vila-nova', async (route) => {
        const publisher = (await (await route.fetch()).json()) as object
        const name = 'Associação dos Amigos do Elétrico 28, das Linhas do Monte e dos Transportes da Cidade Alta'
        const description = 'Os avisos de todas as linhas, de manhã à noite. '.repeat(20)
        const website = `https://www.${'uma-associacao-com-um-nome-muito-comprido-'.repeat(2)}x.example/`
        await route.fulfill({ json: { ...publisher, name, description, website } })
      })
    },
    ready: async (page) => {
      await page.getByRole('button', { name: 'Ler mais' }).waitFor()
      await page.getByRole('link', { name: 'Tempo e avisos', exact: true }).waitFor()
    },
  },
  'publisher-missing': { path: '/channels/nada', ready: heading },
  'channel-missing': { path: '/channels/demo/nada', ready: heading },
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
    arrange: async (page) => {
      const body = { type: 'about:blank', title: 'Não encontrado', status: 404, code: 'suspended', requestId: 'r' }
      await page.route('**/api/v1/channels/demo/novidades**', (route) =>
        route.fulfill({ status: 404, contentType: 'application/problem+json', body: JSON.stringify(body) }),
      )
    },
    ready: (page) => page.getByText('Este canal está suspenso').waitFor(),
  },
  'channels-nothing': {
    path: '/channels?q=nada-disto',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('link', { name: 'Limpar a procura' }).waitFor()
    },
  },
}

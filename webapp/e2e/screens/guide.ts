import type { Locator, Page } from '@playwright/test'
import { members, studio } from './data/studio.ts'
import type { Screen } from './screen.ts'

/** A screen of which the guide for publishers shows what lies between two elements. */
type Scene = Screen & { part: (page: Page) => [first: Locator, last: Locator] }

const begin: Scene = {
  path: '/new',
  signedIn: true,
  ready: async (page) => {
    await page.getByRole('textbox', { name: 'Quem publica' }).fill('Rancho da Serra')
    const name = page.getByRole('textbox', { name: 'Nome do canal' })
    await name.fill('Ensaios')
    await name.blur()
    // the address of an installation, not of a test
    await page.getByText(/^127\.0\.0\.1:\d+\/channels\//).evaluate((address) => {
      address.textContent = 'sininho.example/channels/rancho-da-serra/ensaios'
    })
  },
  part: (page) => [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'Mudar o endereço' })],
}

const write: Scene = {
  path: '/studio',
  signedIn: true,
  arrange: async (page, sininho) => `${await studio(page, sininho)}/write`,
  ready: async (page) => {
    const field = page.getByRole('textbox', { name: 'O que quer dizer?' })
    await field.fill('Ensaio de sexta às 21h\nCom os trajes novos.')
    await field.blur()
    await page.getByText('Guardado').waitFor()
  },
  part: (page) => [page.getByText('O que quer dizer?'), page.getByRole('button', { name: 'Publicar', exact: true })],
}

const people: Scene = {
  path: '/studio',
  signedIn: true,
  arrange: async (page, sininho) => {
    const [, , slug] = (await studio(page, sininho)).split('/')
    const invited = { email: 'alzira@example.com', role: 'editor' }
    await page.request.post(`/api/v1/publishers/${slug}/invitations`, { data: invited })
    return `/studio/${slug}`
  },
  ready: (page) => page.getByText('alzira@example.com').waitFor(),
  part: (page) => [
    page.getByRole('heading', { name: 'Pessoas' }),
    page.getByRole('button', { name: 'Convidar alguém' }),
  ],
}

/** What the guide for publishers shows, by the names of its pictures. */
export const guide: Record<string, Scene> = {
  begin,
  write,
  readers: {
    ...write,
    part: (page) => [
      page.getByRole('heading', { name: 'Como vai aparecer' }),
      page.getByText('Com os trajes novos.').last(),
    ],
  },
  scheduled: {
    path: '/studio',
    signedIn: true,
    arrange: studio,
    ready: (page) => page.getByText('Jantar de Natal do rancho').waitFor(),
    part: (page) => [
      page.getByRole('heading', { name: 'Por publicar' }),
      page.getByRole('button', { name: 'Não publicar' }),
    ],
  },
  people,
  poster: {
    path: '/studio',
    signedIn: true,
    arrange: async (page, sininho) => `${await studio(page, sininho)}/poster`,
    ready: (page) => page.getByRole('img', { name: /^Código QR/ }).waitFor(),
    part: (page) => [page.getByText('Receba os avisos'), page.getByText('Sem instalar nada')],
  },
  private: {
    path: '/studio',
    signedIn: true,
    arrange: members,
    ready: (page) => page.getByRole('button', { name: /^Aceitar/ }).waitFor(),
    part: (page) => [
      page.getByRole('heading', { name: 'Querem entrar' }),
      page.getByRole('button', { name: 'Convidar por e-mail' }),
    ],
  },
}

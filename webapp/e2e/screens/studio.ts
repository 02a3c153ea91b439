import { begun, keeping, studio as arranged } from './data/studio.ts'
import { type Screen, heading } from './screen.ts'

const path = '/studio'
const example = '/studio/rancho-da-serra/ensaios'

/** Where somebody publishes in the browser. */
export const studio: Record<string, Screen> = {
  'studio-none': { path, signedIn: true, ready: heading },
  studio: {
    path,
    signedIn: true,
    arrange: async (page, sininho) => void (await arranged(page, sininho)),
    ready: (page) => page.getByRole('link', { name: /^Ensaios/ }).waitFor(),
  },
  'studio-new': {
    path: '/new',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Quem publica' }).fill('Rancho da Serra')
      await page.getByRole('textbox', { name: 'Nome do canal' }).fill('Ensaios')
      await page.getByRole('button', { name: 'Criar canal' }).click()
      await page.getByText('Escolha uma categoria.').waitFor()
    },
  },
  'studio-channel': {
    path: example,
    signedIn: true,
    arrange: arranged,
    ready: async (page) => {
      await page.getByRole('button', { name: /^Fotografias da romaria/ }).click()
      await page.getByText('Ninguém com um dispositivo que toque seguia o canal.').waitFor()
    },
  },
  'studio-write': {
    path: `${example}/write`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/write`,
    ready: async (page) => {
      await page
        .getByRole('textbox', { name: 'O que quer dizer?' })
        .fill('Ensaio de sexta às 21h\nCom os trajes novos.')
      await page.getByRole('button', { name: 'Ligação' }).click()
      await page.getByLabel('Ligação', { exact: true }).fill('www.rancho.example')
    },
  },
  'studio-drafts': {
    path: example,
    signedIn: true,
    arrange: begun,
    ready: async (page) => {
      await page.getByText('Jantar de Reis').waitFor()
      await page.getByRole('button', { name: 'Opções de «Não há ensaio»' }).waitFor()
    },
  },
  'studio-template': {
    path: `${example}/write`,
    signedIn: true,
    arrange: async (page, sininho) => `${await begun(page, sininho)}/write`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Não há ensaio' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'dia' }).waitFor()
    },
  },
  'studio-edit': {
    path: `${example}/edit`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/edit`,
    ready: (page) => page.getByRole('form', { name: 'O canal' }).waitFor(),
  },
  'studio-keeping': {
    path: `${example}/edit`,
    signedIn: true,
    ready: async (page, sininho) => {
      await keeping(page, sininho)
      await page.getByRole('textbox', { name: 'Número de notificações' }).fill('0')
      await page.getByRole('form', { name: 'Conservação' }).getByRole('button', { name: 'Guardar' }).click()
      await page.getByText('ou deixe em branco.').waitFor()
    },
  },
  'studio-remove': {
    path: `${example}/edit`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/edit`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Apagar o canal' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'studio-access': {
    path: '/studio/rancho-da-serra',
    signedIn: true,
    arrange: async (page, sininho) => {
      const [, , slug] = (await arranged(page, sininho)).split('/')
      const of = `/api/v1/publishers/${slug}`
      await page.request.post(`${of}/invitations`, { data: { email: 'alzira@example.com', role: 'editor' } })
      await page.request.post(`${of}/api-keys`, { data: { name: 'Página do rancho', scopes: ['publish'] } })
      return `/studio/${slug}`
    },
    ready: async (page) => {
      await page.getByText('alzira@example.com').waitFor()
      await page.getByRole('button', { name: 'Criar chave' }).click()
      await page.getByText('Página do rancho').waitFor()
    },
  },
  'studio-poster': {
    path: `${example}/poster`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/poster`,
    ready: (page) => page.getByRole('img', { name: /^Código QR/ }).waitFor(),
  },
}

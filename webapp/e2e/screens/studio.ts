import { byInvitation } from './data/config.ts'
import { mockRequest } from './data/requests.ts'
import { begun, endpoint, keeping, members, ownProgram, studio as arranged, webhooks } from './data/studio.ts'
import { type Screen, heading } from './screen.ts'

const path = '/studio'
const example = '/studio/rancho-da-serra/ensaios'

/** Where somebody publishes in the browser. */
export const studio: Record<string, Screen> = {
  'studio-none': { path, signedIn: true, ready: heading },
  'studio-by-invitation': {
    path: '/new',
    signedIn: true,
    arrange: async (page) => void (await byInvitation(page, 'PUBLISHERS')),
    ready: (page) => page.getByText('Aqui publica quem for convidado').waitFor(),
  },
  'studio-asking': {
    path: '/new',
    signedIn: true,
    arrange: (page) => mockRequest(page),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Enviar o pedido' }).click()
      await page.getByText('Escreva um nome.').waitFor()
      await page.getByRole('textbox', { name: 'Quem publica' }).fill('Rancho Folclórico da Serra')
      await page.getByText(/\/channels\/rancho-folclorico-da-serra$/).waitFor()
    },
  },
  'studio-asked': {
    path,
    signedIn: true,
    arrange: (page) => mockRequest(page, 'pending'),
    ready: (page) => page.getByText('O pedido está a ser visto').waitFor(),
  },
  'studio-refused': {
    path,
    signedIn: true,
    arrange: (page) => mockRequest(page, 'refused'),
    ready: (page) => page.getByRole('button', { name: 'Pedir de novo' }).waitFor(),
  },
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
      await page.getByRole('button', { name: 'Imagem' }).click()
      await page.locator('input[type=file]').setInputFiles('public/icon-512.png')
      await page.getByRole('button', { name: 'Trocar' }).waitFor()
    },
  },
  'studio-repeat': {
    path: example,
    signedIn: true,
    arrange: begun,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Opções de «Ensaio»' }).click()
      await page.getByRole('menuitem', { name: 'Mudar quando se repete' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('checkbox', { name: 'sábado' }).check({ force: true })
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
  'studio-members': {
    path: `${example}/members`,
    signedIn: true,
    arrange: members,
    ready: async (page) => {
      await page.getByRole('button', { name: /^Aceitar/ }).waitFor()
      await page.getByText('alzira@example.com').waitFor()
      await page.getByRole('button', { name: 'Criar um link' }).click()
      await page.getByRole('textbox', { name: 'Quantas pessoas o podem usar' }).fill('0')
      await page.getByRole('button', { name: 'Criar convite' }).click()
    },
  },
  'studio-numbers': {
    path: `${example}/numbers`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/numbers`,
    ready: async (page) => {
      await page.getByRole('figure', { name: 'Envios por dia' }).getByText('Ver os números').click()
      await page.getByRole('region', { name: 'As mais abertas' }).waitFor()
    },
  },
  'studio-month': {
    path: `${example}/month`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/month`,
    ready: async (page) => {
      await page.getByRole('table').getByRole('button').click()
      await page.getByText('Jantar de Natal do rancho').waitFor()
    },
  },
  'studio-webhooks': {
    path: `${example}/webhooks`,
    signedIn: true,
    arrange: webhooks,
    ready: async (page) => {
      await page.getByRole('button', { name: /^issues/ }).click()
      await page.getByRole('button', { name: 'Como sairia agora' }).click()
      await page.getByText('Com o Sininho aberto').waitFor()
      await page.getByRole('button', { name: 'O que chegou, tal e qual' }).click()
    },
  },
  'studio-webhook-new': {
    path: `${example}/webhooks`,
    signedIn: true,
    arrange: async (page, sininho) => `${await arranged(page, sininho)}/webhooks`,
    ready: async (page) => {
      await page.getByText('Ainda nenhum programa publica aqui.').waitFor()
      await page.getByRole('button', { name: 'Para quem automatiza' }).click()
      await page.getByRole('button', { name: 'Juntar um programa' }).click()
      await page.getByRole('combobox', { name: 'Quem envia' }).selectOption('Um programa seu')
      await page.getByRole('form').getByRole('button', { name: 'Juntar um programa' }).click()
    },
  },
  'studio-webhook-template': {
    path: `${example}/webhooks`,
    signedIn: true,
    arrange: ownProgram,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Modelo do que sai' }).click()
      await page.getByRole('textbox', { name: 'Título' }).fill('{{ payload.local')
      await page.getByText(/falta fechar as chavetas/).waitFor()
    },
  },
  'studio-endpoint': {
    path: '/studio/rancho-da-serra',
    signedIn: true,
    arrange: endpoint,
    ready: async (page) => {
      await page.getByRole('button', { name: /^Painel do rancho/ }).click()
      await page.getByRole('button', { name: 'Confirmar', exact: true }).click()
      await page.getByText(/^Não ficou confirmado/).waitFor()
      await page.getByRole('button', { name: 'Avisar um programa' }).click()
    },
  },
}

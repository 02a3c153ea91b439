import { toastsLoaded, workerReady } from '../support/test.ts'
import { type Screen, heading } from './screen.ts'

/** The demonstration. */
export const demo: Record<string, Screen> = {
  demo: { path: '/demo', ready: heading },
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
    offline: true,
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
}

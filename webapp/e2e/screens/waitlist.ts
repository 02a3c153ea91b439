import { form, joined } from './data/waitlist.ts'
import type { Screen } from './screen.ts'

/** The waiting list, from its form to leaving it. */
export const waitlist: Record<string, Screen> = {
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
    ready: async (page, sininho) => {
      await form(page)
      await page.getByRole('textbox', { name: 'E-mail' }).fill(sininho.person().email)
      await page.getByRole('button', { name: 'Guardar o meu lugar' }).click()
      await page.getByRole('heading', { name: 'Veja o seu e-mail' }).waitFor()
    },
  },
  'waitlist-place': {
    path: '/',
    ready: async (page, sininho) => {
      await page.goto((await joined(page, sininho))[0]!)
      await page.getByRole('heading', { name: /este é o seu lugar/ }).waitFor()
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
}

import type { Screen } from './screen.ts'

/** Invitations to publish. */
export const invitations: Record<string, Screen> = {
  invitations: {
    path: '/invitations',
    signedIn: true,
    arrange: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      const long = 'Associação dos Amigos do Elétrico 28 e das Linhas do Monte'
      await sininho.invite(email, { name: long, role: 'owner', base: 'eletrico-28' })
    },
    ready: (page) => page.getByRole('button', { name: /^Aceitar o convite de Rádio/ }).waitFor(),
  },
  'invitations-accepted': {
    path: '/invitations',
    signedIn: true,
    arrange: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
    },
    ready: async (page) => {
      await page.getByRole('button', { name: /^Aceitar o convite/ }).click()
      await page.getByRole('heading', { name: /^Já participa/ }).waitFor()
    },
  },
  'invitations-none': {
    path: '/invitations',
    signedIn: true,
    ready: (page) => page.getByText('Não tem convites à espera').waitFor(),
  },
}

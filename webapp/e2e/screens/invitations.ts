import { type Screen, heading } from './screen.ts'

/** The secret of a link that was opened is kept for the next visit. */
const invited =
  (approval = false): Screen['arrange'] =>
  async (page, sininho) => {
    const { owner, url } = await sininho.privateChannel({ approval })
    await owner.dispose()
    await page.goto(url)
    await page.getByRole('heading', { level: 1, name: 'Turno da noite' }).waitFor()
  }

/** Invitations to publish, and to private channels. */
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
  join: { path: '/join', arrange: invited(), ready: heading },
  'join-signed-in': {
    path: '/join',
    signedIn: true,
    arrange: invited(),
    ready: (page) => page.getByRole('button', { name: 'Entrar no canal' }).waitFor(),
  },
  'join-requested': {
    path: '/join',
    signedIn: true,
    arrange: invited(true),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Pedir para entrar' }).click()
      await page.getByText('À espera de aprovação').waitFor()
    },
  },
  'private-channel': {
    path: '/join',
    signedIn: true,
    arrange: invited(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Entrar no canal' }).click()
      await page.getByRole('article').filter({ hasText: 'Troca de turno' }).waitFor()
    },
  },
  'private-channel-leave': {
    path: '/join',
    signedIn: true,
    arrange: invited(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Entrar no canal' }).click()
      await page.getByRole('button', { name: /^A seguir Turno da noite/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'private-channel-followed': {
    path: '/join',
    signedIn: true,
    arrange: invited(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Entrar no canal' }).click()
      await page.getByRole('article').filter({ hasText: 'Troca de turno' }).waitFor()
      await page.getByRole('link', { name: /^Notificações/ }).click()
      await page.getByRole('link', { name: /^Turno da noite\s*Privado/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Turno da noite' }).waitFor()
    },
  },
  'join-ended': { path: '/join', ready: heading },
}

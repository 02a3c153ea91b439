import { fillSettings, phone } from './data/settings.ts'
import { studio } from './data/studio.ts'
import { withoutAccount } from './data/receiving.ts'
import type { Screen } from './screen.ts'

/** The sections of the settings. */
export const settings: Record<string, Screen> = {
  settings: {
    path: '/settings',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('navigation', { name: 'Partes das preferências' }).waitFor()
      if (page.viewportSize()!.width < 768) await page.getByText('2 dispositivos').waitFor()
    },
  },
  'settings-without-account': {
    path: '/settings',
    arrange: withoutAccount,
    ready: (page) => page.getByRole('link', { name: 'Guardar na minha conta' }).waitFor(),
  },
  'settings-profile-without-account': {
    path: '/settings/profile',
    arrange: withoutAccount,
    ready: (page) => page.getByRole('combobox', { name: 'Fuso horário' }).waitFor(),
  },
  'settings-profile': {
    path: '/settings/profile',
    signedIn: true,
    ready: (page) => page.getByRole('textbox', { name: 'Nome' }).waitFor(),
  },
  'settings-notifications': {
    path: '/settings/notifications',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByText('Silêncio das 22:00').waitFor()
    },
  },
  'settings-devices': {
    path: '/settings/devices',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Remover Firefox no Windows' }).waitFor()
    },
  },
  'settings-remove': {
    path: '/settings/devices',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Remover Firefox no Windows' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'settings-app': {
    path: '/settings/app',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('region', { name: 'Instalar o Sininho' }).waitFor()
      await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')))
      await page.getByRole('button', { name: 'Instalar' }).waitFor()
    },
  },
  'settings-app-iphone': {
    path: '/settings/app',
    signedIn: true,
    arrange: async (page) => {
      await page.addInitScript(
        (userAgent) => Object.defineProperty(navigator, 'userAgent', { value: userAgent }),
        phone,
      )
    },
    ready: (page) => page.getByText('Toque em Partilhar').waitFor(),
  },
  'settings-security': {
    path: '/settings/security',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Terminar Safari no iOS' }).waitFor()
    },
  },
  'settings-publishing': {
    path: '/settings/publishing',
    signedIn: true,
    ready: async (page, sininho) => {
      const { email } = (await (await page.request.get('/api/v1/subscribers/me')).json()) as { email: string }
      await sininho.invite(email)
      await studio(page, sininho)
      const reason = 'Publica em nome de outra associação.'
      await page.route('**/api/v1/channels?*publisher=*', async (route) => {
        const response = await route.fetch()
        const { data, meta } = (await response.json()) as { data: object[]; meta: object }
        const suspension = { reason, suspendedAt: new Date().toISOString() }
        await route.fulfill({ json: { data: data.map((channel) => ({ ...channel, suspension })), meta } })
      })
      await page.goto('/settings/publishing')
      await page.getByText(reason).waitFor()
      await page.getByRole('button', { name: /^Aceitar o convite/ }).waitFor()
    },
  },
  'settings-publishing-none': {
    path: '/settings/publishing',
    signedIn: true,
    ready: (page) => page.getByText('Tem algo para anunciar?').waitFor(),
  },
  'settings-token': {
    path: '/settings/tokens',
    signedIn: true,
    ready: async (page) => {
      await fillSettings(page)
      await page.getByRole('button', { name: 'Criar token' }).click()
      const form = page.getByRole('form', { name: 'Novo token de acesso' })
      await form.getByRole('textbox', { name: 'Nome' }).fill('portátil')
      await form.getByRole('button', { name: 'Criar token' }).click()
      await page.getByRole('group', { name: /^O token/ }).waitFor()
      await page.getByRole('button', { name: 'Criar token' }).waitFor()
    },
  },
  'settings-delete': {
    path: '/settings/data',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Apagar a conta' }).click()
      await page.getByRole('textbox', { name: /Para confirmar/ }).fill('apagar')
    },
  },
  'settings-operator': {
    path: '/settings',
    operator: true,
    ready: (page) => page.getByRole('link', { name: 'Administração' }).waitFor(),
  },
}

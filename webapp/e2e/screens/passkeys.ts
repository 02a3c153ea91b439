import type { Page } from '@playwright/test'
import { type Screen, heading } from './screen.ts'

/** Makes the server seem to offer passkeys, which browsers make for no IP address. */
async function offer(page: Page) {
  await page.route('**/api/v1/auth', async (route) => {
    const response = await route.fetch()
    const auth = (await response.json()) as { signInMethods: object[] }
    auth.signInMethods.push({ kind: 'passkey', url: '/api/v1/auth/passkeys' })
    await route.fulfill({ response, json: auth })
  })
  const createdAt = '2026-01-01T12:00:00Z'
  const data = [
    { id: '019c0000-0000-7000-8000-000000000001', name: 'Safari · iOS', createdAt, usedAt: '2026-02-03T08:30:00Z' },
    { id: '019c0000-0000-7000-8000-000000000002', name: 'A chave azul do porta-chaves', createdAt },
  ]
  await page.route('**/api/v1/subscribers/passkeys', (route) => route.fulfill({ json: { data } }))
}

const signUp = (page: Page) => page.getByRole('button', { name: 'Criar conta com uma chave de acesso' })

/** Signing in with passkeys, and the list of them. */
export const passkeys: Record<string, Screen> = {
  'login-passkey': { path: '/login', arrange: offer, ready: (page) => signUp(page).waitFor() },
  'login-passkey-new': {
    path: '/login',
    arrange: offer,
    ready: async (page) => {
      await signUp(page).click()
      await page.getByLabel('O seu nome').waitFor()
    },
  },
  'login-operator': { path: '/login/operator#sno_live_nada', ready: heading },
  'login-operator-unusable': { path: '/login/operator', ready: heading },
  'settings-passkeys': {
    path: '/settings/security',
    signedIn: true,
    arrange: offer,
    ready: (page) => page.getByText('A chave azul do porta-chaves').waitFor(),
  },
}

import { withoutAccount } from './data/receiving.ts'
import { type Screen, heading } from './screen.ts'

/** Signing in, in the browser and on a device. */
export const login: Record<string, Screen> = {
  login: { path: '/login', ready: heading },
  'login-invitation': { path: '/login?invitation=swi_nada', ready: heading },
  'login-uninvited': { path: '/login?error=uninvited', ready: heading },
  'login-suspended': { path: '/login?error=suspended', ready: heading },
  'login-failed': { path: '/login?error=denied', ready: heading },
  'login-known': { path: '/login?error=known_address', ready: heading },
  'login-saving': { path: '/login?error=unsaved', arrange: withoutAccount, ready: heading },
  'login-code': { path: '/login/code', ready: heading },
  'login-device': { path: '/login/device', signedIn: true, ready: heading },
  'login-device-unknown': {
    path: '/login/device',
    signedIn: true,
    ready: async (page) => {
      await page.getByRole('textbox', { name: /^Código/ }).fill('BCDF-GHJK')
      await page.getByRole('button', { name: 'Continuar' }).click()
      await page.getByRole('heading', { name: 'Código desconhecido' }).waitFor()
    },
  },
}

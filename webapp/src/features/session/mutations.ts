import { ApiError } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { login } from '../../i18n/login'
import { words } from '../../i18n/words'
import { api, call } from '../../lib/api'
import { deviceName } from '../../lib/push/device-name'
import { forgetPush } from '../../lib/push/registration'

/** Ends the session. The server detaches the session's device, and the browser deletes its push address. */
export const signOutMutation = () =>
  mutationOptions({
    mutationFn: async () => {
      await call(api().DELETE('/auth'))
      await forgetPush()
    },
    meta: { errorMessage: words.settings.signOutFailed },
  })

/** Begins to sign this browser in from another one, and returns the code to type there. */
export const beginOtherMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().POST('/auth/device', { body: { browser: true, clientName: deviceName() } })),
    meta: { errorMessage: login.other.failed },
  })

/** Signs this browser in once it was let in, and returns how that stands. */
export async function finishOther(deviceCode: string): Promise<'done' | 'waiting' | 'refused' | 'over'> {
  try {
    await call(api().POST('/auth/device/session', { body: { deviceCode } }))
    return 'done'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'authorization_pending' || error.code === 'slow_down') return 'waiting'
    if (error.code === 'access_denied') return 'refused'
    if (error.code === 'expired_token') return 'over'
    throw error
  }
}

type EmailSignIn = { email: string; redirect: string; invitation?: string }

/** Has a code sent to an address, to sign in or to save in the account what is followed without one. */
export const beginEmailMutation = (saving: boolean) =>
  mutationOptions({
    mutationFn: async ({ email, redirect, invitation }: EmailSignIn) => {
      if (!saving) return call(api().POST('/auth/email', { body: { email, redirect, invitation } }))
      await call(api().POST('/subscribers/identities', { body: { kind: 'email', email, redirect } }))
    },
  })

/** Gives an emailed code, and returns where it leads: `null` if this browser waits for none. */
export const finishEmailMutation = () =>
  mutationOptions({
    mutationFn: async (body: { code: string }) => {
      try {
        return await call(api().POST('/auth/email/code', { body }))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'no_sign_in') return null
        throw error
      }
    },
  })

import { ApiError } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { words } from '../../i18n/words'
import { api, call } from '../../lib/api'
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

type EmailSignIn = { email: string; redirect: string; invitation?: string }

/** Has a code sent to an address. */
export const beginEmailMutation = () =>
  mutationOptions({ mutationFn: (body: EmailSignIn) => call(api().POST('/auth/email', { body })) })

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

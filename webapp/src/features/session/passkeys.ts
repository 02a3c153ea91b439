import { ApiError } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { passkeys } from '../../i18n/passkeys'
import { api, call } from '../../lib/api'
import { openPage } from '../../lib/page'
import { answerChallenge, makePasskey } from '../../lib/passkey'

/** Signs in with a passkey that the person chooses, and opens the page where that leads; `null` if they choose none. */
export const passkeySignInMutation = () =>
  mutationOptions({
    mutationFn: async (body: { redirect: string }) => {
      const { publicKey } = await call(api().POST('/auth/passkeys/challenge', { body }))
      const credential = await answerChallenge(publicKey)
      return credential && call(api().POST('/auth/passkeys', { body: { credential } }))
    },
    // a whole page, because the person is another one now
    onSuccess: (to) => void (to && openPage(to.url)),
    meta: { errorMessage: passkeys.failed },
  })

export type NewAccount = { name: string; redirect: string; invitation?: string; operatorLink?: string }

/** Creates an account with a new passkey; `null` if the person makes none. */
export const passkeySignUpMutation = () =>
  mutationOptions({
    mutationFn: async (body: NewAccount) => {
      const { publicKey } = await call(api().POST('/auth/passkeys/sign-up/challenge', { body }))
      const credential = await makePasskey(publicKey)
      return credential && call(api().POST('/auth/passkeys/sign-up', { body: { credential } }))
    },
    onSuccess: (to) => void (to && openPage(to.url)),
    meta: { errorMessage: passkeys.notCreated },
  })

/** What the person can do about a passkey that was refused, if anything. */
export const faultOf = (error: Error | null) =>
  error instanceof ApiError ? passkeys.faults[error.errors[0]?.code ?? ''] : undefined

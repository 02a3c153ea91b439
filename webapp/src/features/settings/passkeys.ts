import type { Passkey } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { showAtOnce } from '../../data/at-once'
import { passkeyKeys } from '../../data/passkeys'
import { passkeys } from '../../i18n/passkeys'
import { api, call } from '../../lib/api'
import { makePasskey } from '../../lib/passkey'

const texts = passkeys.own

/** Adds a passkey that the person makes; `null` if they make none. */
export const addPasskeyMutation = () =>
  mutationOptions({
    mutationFn: async () => {
      const { publicKey } = await call(api().POST('/subscribers/passkeys/challenge'))
      const credential = await makePasskey(publicKey)
      return credential && call(api().POST('/subscribers/passkeys', { body: { credential } }))
    },
    meta: { invalidates: [passkeyKeys.all], errorMessage: texts.addFailed },
  })

export const renamePasskeyMutation = () =>
  mutationOptions({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(api().PATCH('/subscribers/passkeys/{id}', { params: { path: { id } }, body: { name } })),
    onMutate: ({ id, name }, { client }) =>
      showAtOnce<Passkey[]>(client, passkeyKeys.all, (all) =>
        all.map((each) => (each.id === id ? { ...each, name } : each)),
      ),
    meta: { invalidates: [passkeyKeys.all], errorMessage: texts.renameFailed },
  })

/** Failures show the server's text, such as about the only way in. */
export const removePasskeyMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => call(api().DELETE('/subscribers/passkeys/{id}', { params: { path: { id } } })),
    meta: { invalidates: [passkeyKeys.all], successMessage: texts.removed },
  })

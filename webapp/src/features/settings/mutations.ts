import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { api, call } from '../../lib/api'
import { forgetPush } from '../push/registration'
import { saveFile } from './file'
import { type AccessToken, settingsKeys } from './queries'

/** `days` that it is good for; without an end when there are none. */
export type NewToken = { name: string; days: number }

const dayMs = 24 * 60 * 60 * 1000

export const createTokenMutation = () =>
  mutationOptions({
    mutationFn: ({ name, days }: NewToken) =>
      call(
        api().POST('/subscribers/access-tokens', {
          body: { name, expiresAt: new Date(Date.now() + days * dayMs).toISOString() },
        }),
      ),
    // the secret is in the answer, which nobody keeps longer than it is shown
    gcTime: 0,
    meta: { invalidates: [settingsKeys.tokens], errorMessage: settings.tokens.createFailed },
  })

export const revokeTokenMutation = (client: QueryClient) =>
  mutationOptions<unknown, Error, string, () => void>({
    mutationFn: (id) => call(api().DELETE('/subscribers/access-tokens/{id}', { params: { path: { id } } })),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: settingsKeys.tokens })
      const before = client.getQueryData<AccessToken[]>(settingsKeys.tokens)
      client.setQueryData<AccessToken[]>(settingsKeys.tokens, (all) => all?.filter((each) => each.id !== id))
      return () => client.setQueryData(settingsKeys.tokens, before)
    },
    onError: (_error, _id, undo) => undo?.(),
    meta: {
      invalidates: [settingsKeys.tokens],
      successMessage: settings.tokens.revoked,
      errorMessage: settings.tokens.revokeFailed,
    },
  })

/** All that is kept of the person, into a file on this device. */
export const exportMutation = () =>
  mutationOptions({
    mutationFn: async () => {
      const all = await call(api().GET('/subscribers/me/export'))
      saveFile(
        settings.account.exportName(all.exportedAt.slice(0, 10)),
        JSON.stringify(all, null, 2),
        'application/json',
      )
    },
    meta: { successMessage: settings.account.exported, errorMessage: settings.account.exportFailed },
  })

/** What stands in the way, such as a publisher without another owner, is told in the server's own words. */
export const deleteAccountMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/subscribers/me')),
    onSuccess: () => void forgetPush(),
    meta: { successMessage: settings.account.gone },
  })

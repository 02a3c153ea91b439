import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { api, call } from '../../lib/api'
import { forgetPush } from '../../lib/push/registration'
import { saveFile } from './file'
import { type AccessToken, settingsKeys } from '../../data/access-tokens'

/** `days` is the token's lifetime. */
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
    // the response contains the secret, so it must not stay in the cache
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

/** Downloads all data that the server keeps about the person. */
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

/** Failures show the server's text, such as about a publisher that has no other owner. */
export const deleteAccountMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/subscribers/me')),
    onSuccess: () => void forgetPush(),
    meta: { successMessage: settings.account.gone },
  })

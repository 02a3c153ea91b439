import { mutationOptions } from '@tanstack/react-query'
import type { Session } from '@sininho/sdk'
import { type AccessToken, type TokenScope, tokenKeys } from '../../data/access-tokens'
import { showAtOnce } from '../../data/at-once'
import { feedAddressKeys } from '../../data/feed-address'
import { identityKeys } from '../../data/identities'
import { sessionKeys } from '../../data/sessions'
import { settings } from '../../i18n/settings'
import { api, call } from '../../lib/api'
import { saveFile } from '../../lib/file'
import { forgetPush } from '../../lib/push/registration'

/** `days` is the token's lifetime. */
export type NewToken = { name: string; scopes: TokenScope[]; days: number }

const dayMs = 24 * 60 * 60 * 1000

export const createTokenMutation = () =>
  mutationOptions({
    mutationFn: ({ name, scopes, days }: NewToken) =>
      call(
        api().POST('/subscribers/access-tokens', {
          body: { name, scopes, expiresAt: new Date(Date.now() + days * dayMs).toISOString() },
        }),
      ),
    // the response contains the secret, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [tokenKeys.all], errorMessage: settings.tokens.createFailed },
  })

export const revokeTokenMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => call(api().DELETE('/subscribers/access-tokens/{id}', { params: { path: { id } } })),
    onMutate: (id, { client }) =>
      showAtOnce<AccessToken[]>(client, tokenKeys.all, (all) => all.filter((each) => each.id !== id)),
    meta: {
      invalidates: [tokenKeys.all],
      successMessage: settings.tokens.revoked,
      errorMessage: settings.tokens.revokeFailed,
    },
  })

export const renewFeedAddressMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().PUT('/subscribers/feed-address')),
    // the response contains the secret, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [feedAddressKeys.all], errorMessage: settings.feedAddress.makeFailed },
  })

export const endFeedAddressMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/subscribers/feed-address')),
    onMutate: (_nothing, { client }) => showAtOnce<object | null>(client, feedAddressKeys.all, () => null),
    meta: {
      invalidates: [feedAddressKeys.all],
      successMessage: settings.feedAddress.ended,
      errorMessage: settings.feedAddress.endFailed,
    },
  })

export const endSessionMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => call(api().DELETE('/subscribers/sessions/{id}', { params: { path: { id } } })),
    onMutate: (id, { client }) =>
      showAtOnce<Session[]>(client, sessionKeys.all, (all) => all.filter((each) => each.id !== id)),
    meta: {
      invalidates: [sessionKeys.all],
      successMessage: settings.sessions.ended,
      errorMessage: settings.sessions.endFailed,
    },
  })

export const endOtherSessionsMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/subscribers/sessions')),
    onMutate: (_nothing, { client }) =>
      showAtOnce<Session[]>(client, sessionKeys.all, (all) => all.filter(({ current }) => current)),
    meta: {
      invalidates: [sessionKeys.all],
      successMessage: settings.sessions.othersEnded,
      errorMessage: settings.sessions.endOthersFailed,
    },
  })

/** Failures show the server's text, such as about the only way in. */
export const removeIdentityMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => call(api().DELETE('/subscribers/identities/{id}', { params: { path: { id } } })),
    meta: { invalidates: [identityKeys.all, ['session']], successMessage: settings.identities.removed },
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

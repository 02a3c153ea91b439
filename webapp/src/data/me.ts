import { ApiError, type Subscriber, type components } from '@sininho/sdk'
import { type QueryClient, mutationOptions, queryOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { type Versioned, api, versioned } from '../lib/api'
import { showAtOnce } from './at-once'
import { sessionKeys } from './session'
import { loadedAhead } from './timing'

export type Me = Versioned<Subscriber>

/** The signed-in person's profile. */
export const meQuery = () =>
  queryOptions({
    queryKey: sessionKeys.me,
    queryFn: ({ signal }): Promise<Me> => versioned(api().GET('/subscribers/me', { signal })),
    staleTime: loadedAhead,
  })

export type MePatch = components['schemas']['SubscriberPatch']

/** The profile was changed elsewhere in the meantime, so this change was rejected. */
export class ChangedElsewhere extends Error {
  override readonly name = 'ChangedElsewhere'

  constructor(cause: unknown) {
    super(words.errors.changedElsewhere, { cause })
  }
}

/**
 * Changes the profile and shows it at once. Changes run one after another, each based on the version that the previous
 * one returned. A change made elsewhere is not overwritten: it is fetched and shown.
 */
export const updateMeMutation = (successMessage?: string) => {
  const mutationKey = sessionKeys.me
  const isLast = (client: QueryClient) => client.isMutating({ mutationKey }) === 1
  return mutationOptions({
    mutationKey,
    scope: { id: 'me' },
    mutationFn: async (body: MePatch, { client }) => {
      const header = { 'If-Match': client.getQueryData<Me>(sessionKeys.me)?.etag }
      try {
        return await versioned(api().PATCH('/subscribers/me', { params: { header }, body }))
      } catch (error) {
        throw error instanceof ApiError && error.status === 412 ? new ChangedElsewhere(error) : error
      }
    },
    onMutate: ({ quietHours, ...rest }, { client }) => {
      const quiet = quietHours === undefined ? {} : { quietHours: quietHours ?? undefined }
      return showAtOnce<Me>(client, sessionKeys.me, (me) => ({ ...me, ...rest, ...quiet }))
    },
    onSuccess: (me, _patch, _undo, { client }) =>
      client.setQueryData<Me>(sessionKeys.me, (shown) => (isLast(client) ? me : shown && { ...shown, etag: me.etag })),
    onError: (_error, _patch, _undo, { client }) =>
      isLast(client) ? client.invalidateQueries({ queryKey: sessionKeys.me }) : undefined,
    meta: { successMessage },
  })
}

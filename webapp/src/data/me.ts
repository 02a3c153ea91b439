import { ApiError, type Subscriber, type components } from '@sininho/sdk'
import { type QueryClient, mutationOptions, queryOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { type Versioned, api, versioned } from '../lib/api'
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
export const updateMeMutation = (client: QueryClient, { successMessage }: { successMessage?: string } = {}) => {
  const mutationKey = sessionKeys.me
  const last = () => client.isMutating({ mutationKey }) === 1
  return mutationOptions<Me, Error, MePatch, () => void>({
    mutationKey,
    scope: { id: 'me' },
    mutationFn: async (body) => {
      const header = { 'If-Match': client.getQueryData<Me>(sessionKeys.me)?.etag }
      try {
        return await versioned(api().PATCH('/subscribers/me', { params: { header }, body }))
      } catch (error) {
        throw error instanceof ApiError && error.status === 412 ? new ChangedElsewhere(error) : error
      }
    },
    onMutate: async ({ quietHours, ...rest }) => {
      await client.cancelQueries({ queryKey: sessionKeys.me })
      const before = client.getQueryData<Me>(sessionKeys.me)
      const quiet = quietHours === undefined ? {} : { quietHours: quietHours ?? undefined }
      client.setQueryData<Me>(sessionKeys.me, (me) => me && { ...me, ...rest, ...quiet })
      return () => client.setQueryData(sessionKeys.me, before)
    },
    onSuccess: (me) =>
      client.setQueryData<Me>(sessionKeys.me, (shown) => (last() ? me : shown && { ...shown, etag: me.etag })),
    onError: (_error, _patch, undo) => {
      undo?.()
      if (last()) return client.invalidateQueries({ queryKey: sessionKeys.me })
    },
    meta: { successMessage },
  })
}

import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { loadedAhead } from './timing'

export const passkeyKeys = { all: ['passkeys'] as const }

/** The person's passkeys, oldest first. */
export const passkeysQuery = () =>
  queryOptions({
    queryKey: passkeyKeys.all,
    queryFn: async ({ signal }) => (await call(api().GET('/subscribers/passkeys', { signal }))).data,
    staleTime: loadedAhead,
  })

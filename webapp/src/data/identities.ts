import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { loadedAhead } from './timing'

export const identityKeys = { all: ['identities'] as const }

/** What the person signs in with, oldest first. */
export const identitiesQuery = () =>
  queryOptions({
    queryKey: identityKeys.all,
    queryFn: async ({ signal }) => (await call(api().GET('/subscribers/identities', { signal }))).data,
    staleTime: loadedAhead,
  })

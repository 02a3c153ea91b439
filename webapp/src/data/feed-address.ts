import { queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'
import { loadedAhead } from './timing'

export const feedAddressKeys = { all: ['feed-address'] as const }

/** The secret address of the person's feed, without its secret, or `null`. */
export const feedAddressQuery = () =>
  queryOptions({
    queryKey: feedAddressKeys.all,
    queryFn: ({ signal }) => unlessMissing(call(api().GET('/subscribers/feed-address', { signal }))),
    staleTime: loadedAhead,
  })

import { queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'

/** Milliseconds between looks at a request that waits for an answer. */
const look = 30_000

/** What the person has asked the operators for, or `null`. */
export const publisherRequestQuery = () =>
  queryOptions({
    queryKey: ['publisher-request'],
    queryFn: ({ signal }) => unlessMissing(call(api().GET('/subscribers/publisher-request', { signal }))),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && look,
  })

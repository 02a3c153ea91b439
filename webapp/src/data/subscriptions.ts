import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

export const subscriptionKeys = { all: ['subscriptions'] as const }

/** The followed channels with bell and unread count. */
export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.all,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/channels', { params: { query }, signal }))),
  })

import type { PageQuery, Subscription } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { positioned } from './positions'
import { keptCurrent } from './timing'

export const subscriptionKeys = { all: ['subscriptions'] as const }

/** The followed channels with bell and unread count. */
export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.all,
    queryFn: ({ client, queryKey, signal }) => {
      const page = (query: PageQuery) => api().GET('/subscribers/channels', { params: { query }, signal })
      return everything((query) => call(positioned({ client, queryKey }, page(query), Boolean(query.offset))))
    },
    staleTime: keptCurrent,
  })

/** How many notifications of the channels are unread. */
export const unreadTotal = (subscriptions: readonly Subscription[]) =>
  subscriptions.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

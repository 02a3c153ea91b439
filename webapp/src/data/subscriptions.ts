import type { Subscription } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { streamAwaited } from './stream'
import { keptCurrent } from './timing'

export const subscriptionKeys = { all: ['subscriptions'] as const }

/** The followed channels with bell and unread count. */
export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.all,
    queryFn: async ({ client, signal }) => {
      await streamAwaited(client)
      return everything((query) => call(api().GET('/subscribers/channels', { params: { query }, signal })))
    },
    staleTime: keptCurrent,
  })

/** How many notifications of the channels are unread. */
export const unreadTotal = (subscriptions: readonly Subscription[]) =>
  subscriptions.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

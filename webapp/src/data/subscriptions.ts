import type { PageQuery, Subscription } from '@sininho/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { forgetChannel } from './left'
import { positioned } from './positions'
import { keptCurrent } from './timing'

export const subscriptionKeys = { all: ['subscriptions'] as const }

/** The followed channels with bell and unread count. */
export const subscriptionsQuery = () =>
  queryOptions({
    queryKey: subscriptionKeys.all,
    queryFn: async ({ client, queryKey, signal }) => {
      const page = (query: PageQuery) => api().GET('/subscribers/channels', { params: { query }, signal })
      const all = await everything((query) =>
        call(positioned({ client, queryKey }, page(query), Boolean(query.offset))),
      )
      forgetLeft(client, all)
      return all
    },
    staleTime: keptCurrent,
  })

/** Forgets the private channels that are followed no more: they do not exist for the person, without a connection too. */
function forgetLeft(client: QueryClient, now: Subscription[]) {
  const before = client.getQueryData<Subscription[]>(subscriptionKeys.all) ?? []
  for (const { channel } of before) {
    if (!channel.private || now.some((each) => each.channel.id === channel.id)) continue
    forgetChannel(client, channel, subscriptionKeys.all)
  }
}

/** How many notifications of the channels are unread. */
export const unreadTotal = (subscriptions: readonly Subscription[]) =>
  subscriptions.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

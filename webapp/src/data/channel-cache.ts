import type { Channel } from '@sininho/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { channelKeys, suspended } from './channels'

type Lists = InfiniteData<{ data: Channel[] }>

/** Shows a channel as followed or not in every cached list and detail. Returns a function that reverts it. */
export async function showFollowing(client: QueryClient, id: string, following: boolean) {
  // not what a screen still waits for: it would take the cancellation for a failure
  await client.cancelQueries({ queryKey: channelKeys.all, predicate: ({ state }) => state.data !== undefined })
  const before = client.getQueriesData({ queryKey: channelKeys.all })
  const change = (channel: Channel): Channel =>
    channel.id === id && channel.following !== following
      ? { ...channel, following, subscriberCount: Math.max(0, channel.subscriberCount + (following ? 1 : -1)) }
      : channel
  client.setQueriesData<Lists>(
    { queryKey: channelKeys.lists },
    (lists) => lists && { ...lists, pages: lists.pages.map((page) => ({ ...page, data: page.data.map(change) })) },
  )
  client.setQueriesData<Channel[]>({ queryKey: channelKeys.suggestions }, (channels) => channels?.map(change))
  client.setQueriesData<Channel | null | typeof suspended>({ queryKey: channelKeys.details }, (channel) =>
    channel && channel !== suspended ? change(channel) : channel,
  )
  return () => before.forEach(([key, data]) => client.setQueryData(key, data))
}

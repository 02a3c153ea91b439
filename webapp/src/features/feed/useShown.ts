import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FeedView, feedQuery } from '../../data/notifications'
import { subscriptionsQuery, unreadTotal } from '../../data/subscriptions'
import { useUnfollowed } from '../../data/useUnfollowed'
import { formatChannel } from '../../lib/paths'

/** Returns what is known of a view of the feed: its channel, whether it is followed, and its notifications. */
export function useShown(view: FeedView) {
  const address = view.channel && formatChannel(view.channel)
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery())
  const { data: feed } = useInfiniteQuery(feedQuery(view))
  const unfollowed = useUnfollowed(view.channel)
  const loaded = feed?.pages.flatMap(({ data }) => data)
  const followed = subscriptions.filter(({ channel }) => !address || formatChannel(channel) === address)
  return {
    loaded,
    channel: address ? (followed[0]?.channel ?? unfollowed ?? loaded?.[0]?.channel) : undefined,
    followed: !address || followed.length > 0,
    unread: unreadTotal(followed),
  }
}

import { Skeleton } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type FeedPart, type FeedView, feedParts, feedQuery } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { Feed } from '../../features/feed/Feed'
import { formatChannel, parseChannel } from '../../lib/paths'
import { textOf } from '../../lib/search'
import { ifLoaded, onDemand } from '../../ui/onDemand'

const ChannelActions = onDemand(
  () => import('../../features/channels/ChannelActions'),
  <Skeleton width={144} height={44} radius={22} />,
)
const loadChannels = () => import('../../features/channels/FollowedChannels')
const FollowedChannels = onDemand(loadChannels, <Skeleton height={48} radius={22} />)
const loadGroups = () => import('../../features/feed/GroupCard')
const Notices = ifLoaded(() => import('../-notices'))

/** `notification` is the id of the one that is open, as from a push. */
type Search = { channel?: string; part?: FeedPart; q?: string; notification?: string }

const viewOf = ({ channel, part, q }: Search): FeedView => ({ channel: parseChannel(channel), part, q })

export const Route = createFileRoute('/_auth/feed')({
  validateSearch: ({ channel, part, q, notification }: Record<string, unknown>): Search => {
    const address = parseChannel(channel)
    return {
      channel: address && formatChannel(address),
      part: feedParts.find((each) => each === part),
      q: textOf(q)?.slice(0, 200),
      notification: textOf(notification),
    }
  },
  loaderDeps: ({ search: { channel, part, q } }) => ({ channel, part, q }),
  loader: ({ context: { queryClient }, deps }) => {
    for (const load of [loadChannels, loadGroups]) void load().catch(() => undefined)
    void queryClient.prefetchQuery(subscriptionsQuery())
    void queryClient.prefetchInfiniteQuery(feedQuery(viewOf(deps)))
  },
  component: FeedPage,
})

function FeedPage() {
  const { channel, part, q, notification } = Route.useSearch()
  const { anonymous, onboarded } = Route.useRouteContext({ select: ({ subscriber }) => subscriber })
  const view = useMemo(() => viewOf({ channel, part, q }), [channel, part, q])
  return (
    <Feed
      view={view}
      openId={notification}
      actions={view.channel && <ChannelActions channel={view.channel} />}
      channels={<FollowedChannels />}
      notice={<Notices anonymous={anonymous} onboarded={onboarded} />}
    />
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { feedQuery } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { ChannelActions } from '../../features/channels/ChannelActions'
import { FollowedChannels } from '../../features/channels/FollowedChannels'
import { Feed } from '../../features/feed/Feed'
import { formatChannel, parseChannel } from '../../lib/paths'
import { Column } from '../../ui/Column'

// the feed does without it when it cannot be loaded
const InvitationNotice = lazy(() =>
  import('../../features/membership/InvitationNotice').catch(() => ({ default: () => null })),
)

/** `channel` shows one channel only; `notification` is the id opened from a push. */
type Search = { channel?: string; notification?: string }

export const Route = createFileRoute('/_auth/feed')({
  validateSearch: ({ channel, notification }: Record<string, unknown>): Search => {
    const address = parseChannel(channel)
    return {
      channel: address && formatChannel(address),
      notification: typeof notification === 'string' ? notification : undefined,
    }
  },
  loaderDeps: ({ search: { channel } }) => ({ channel }),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(subscriptionsQuery())
    void queryClient.prefetchInfiniteQuery(feedQuery(parseChannel(deps.channel)))
  },
  component: FeedPage,
})

function FeedPage() {
  const { channel, notification } = Route.useSearch()
  const address = parseChannel(channel)
  return (
    <Column aside={<FollowedChannels />}>
      <Suspense>
        <InvitationNotice />
      </Suspense>
      <Feed channel={address} focused={notification} actions={address && <ChannelActions channel={address} />} />
    </Column>
  )
}

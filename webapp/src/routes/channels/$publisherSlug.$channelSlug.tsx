import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { channelQuery } from '../../data/channels'
import { feedQuery } from '../../data/notifications'
import { ChannelHeader } from '../../features/channels/ChannelHeader'
import { NotificationList } from '../../features/feed/NotificationList'
import { useLiveChannel } from '../../features/feed/useLiveChannel'
import { NotFoundText } from '../../features/shell/fallbacks'
import { ChannelMissing } from '../../ui/ChannelMissing'
import { Column } from '../../ui/Column'

export const Route = createFileRoute('/channels/$publisherSlug/$channelSlug')({
  loader: async ({ context: { queryClient }, params }) => {
    const address = { publisherSlug: params.publisherSlug, slug: params.channelSlug }
    void queryClient.prefetchInfiniteQuery(feedQuery(address))
    if (!(await queryClient.ensureQueryData(channelQuery(address)))) throw notFound()
    return { address }
  },
  notFoundComponent: () => (
    <Column>
      <NotFoundText />
      <ChannelMissing />
    </Column>
  ),
  component: ChannelPage,
})

function ChannelPage() {
  const { address } = Route.useLoaderData()
  const { data: channel } = useSuspenseQuery(channelQuery(address))
  useLiveChannel(address, !channel?.following)
  return (
    <Column>
      {channel && <ChannelHeader channel={channel} />}
      <NotificationList channel={address} followed={channel?.following} />
    </Column>
  )
}

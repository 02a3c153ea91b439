import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { channelQuery, suspended } from '../../data/channels'
import { followersQuery } from '../../data/followers'
import { feedQuery } from '../../data/notifications'
import { ChannelHeader } from '../../features/channels/ChannelHeader'
import { FollowersPlot, hasHistory } from '../../features/channels/Followers'
import { ToPublisher } from '../../features/channels/ToPublisher'
import { LoadedNotifications } from '../../features/feed/LoadedNotifications'
import { useLiveChannel } from '../../features/feed/useLiveChannel'
import { Receive } from '../../features/receiving/Receive'
import ChannelMissing from '../../ui/ChannelMissing'
import { Column } from '../../ui/Column'
import { useWide } from '../../ui/useWide'
import classes from '../routes.module.css'

/** `receive`: the person has asked for it in another browser, see HomeScreen. */
type Search = { receive?: true }

export const Route = createFileRoute('/channels/$publisherSlug/$channelSlug')({
  validateSearch: ({ receive }: Record<string, unknown>): Search => ({ receive: receive ? true : undefined }),
  loader: async ({ context: { queryClient }, params }) => {
    const address = { publisherSlug: params.publisherSlug, slug: params.channelSlug }
    void queryClient.prefetchInfiniteQuery(feedQuery({ channel: address }))
    void queryClient.prefetchQuery(followersQuery(address))
    const channel = await queryClient.ensureQueryData(channelQuery(address))
    if (!channel || channel === suspended) throw notFound({ data: channel })
    return { address }
  },
  notFoundComponent: ({ data }) => <Missing suspended={data === suspended} />,
  component: ChannelPage,
})

function Missing({ suspended: hidden }: { suspended: boolean }) {
  const { publisherSlug } = Route.useParams()
  return (
    <Column>
      <ChannelMissing suspended={hidden} heading>
        <ToPublisher slug={publisherSlug} />
      </ChannelMissing>
    </Column>
  )
}

function ChannelPage() {
  const { address } = Route.useLoaderData()
  const { receive } = Route.useSearch()
  const { data } = useSuspenseQuery(channelQuery(address))
  const channel = data === suspended ? null : data
  useLiveChannel(address, !channel?.following)
  const wide = useWide()
  // meanwhile, as for somebody who has left a private one
  if (!channel) return <Missing suspended={data === suspended} />
  return (
    <Column aside={wide && hasHistory(channel) && <FollowersPlot key={channel.id} channel={channel} compact />}>
      <ChannelHeader channel={channel} receive={<Receive channel={channel} asked={receive} />} />
      <div className={classes.ofChannel}>
        <LoadedNotifications view={{ channel: address }} followed={channel.following} />
      </div>
    </Column>
  )
}

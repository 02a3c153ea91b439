import { createFileRoute, notFound, rootRouteId } from '@tanstack/react-router'
import { channelQuery, suspended } from '../../data/channels'
import { latestQuery, notificationQuery, openedQuery, showListed } from '../../data/notifications'
import { authQuery } from '../../data/session'
import { NotificationPage } from '../../features/feed/NotificationPage'
import { FollowButton } from '../../features/channels/FollowButton'
import { PublisherLink } from '../../features/channels/PublisherLink'
import { NotFoundText } from '../../features/shell/fallbacks'
import { useQuery } from '@tanstack/react-query'
import { Column } from '../../ui/Column'

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

export const Route = createFileRoute('/channels/$publisherSlug/$channelSlug_/$notificationId')({
  beforeLoad: ({ params: { notificationId } }) => {
    if (!isId(notificationId)) throw notFound({ routeId: rootRouteId })
  },
  loader: async ({ context: { queryClient }, params: { publisherSlug, channelSlug, notificationId } }) => {
    const address = { publisherSlug, slug: channelSlug }
    void queryClient.prefetchQuery(channelQuery(address))
    void queryClient.prefetchQuery(latestQuery(address))
    const { subscriber } = await queryClient.ensureQueryData(authQuery())
    showListed(queryClient, notificationId)
    // readers of the channel see whether they have read and archived it
    const own = subscriber && (await queryClient.ensureQueryData(openedQuery(notificationId)))
    if (own) return { address, id: notificationId, followed: true }
    if (!(await queryClient.ensureQueryData(notificationQuery(address, notificationId)))) throw notFound()
    return { address, id: notificationId, followed: false }
  },
  component: Page,
  notFoundComponent: NotFoundText,
})

function Page() {
  const { address, id, followed } = Route.useLoaderData()
  const { data } = useQuery(channelQuery(address))
  const channel = data === suspended ? undefined : data
  return (
    <Column>
      <NotificationPage
        address={address}
        id={id}
        followed={followed}
        by={channel && <PublisherLink publisher={channel.publisher} />}
        missing={<NotFoundText />}
        follow={channel && !channel.demonstration && <FollowButton channel={channel} />}
      />
    </Column>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { channelQuery, suspended } from '../../data/channels'
import { myPublishersQuery } from '../../data/publishers'
import { ownNotificationQuery } from '../../data/studio'
import { StudioScreen } from '../../features/studio/StudioScreen'
import { textOf } from '../../lib/search'

/** `id`: of what is shown what became of it; `correct` and `from`: what is corrected, or used again. */
type Search = { id?: string; correct?: string; from?: string }

/** The screens of one channel. They are one route, because every route is part of what `/` loads. */
export const Route = createFileRoute('/_auth/studio/$publisherSlug/$channelSlug/$')({
  staticData: { within: '/studio' },
  validateSearch: ({ id, correct, from }: Record<string, unknown>): Search => ({
    id: textOf(id),
    correct: textOf(correct),
    from: textOf(from),
  }),
  loaderDeps: ({ search: { correct, from } }) => ({ other: correct ?? from }),
  loader: async ({ context: { queryClient }, params, deps: { other } }) => {
    const address = { publisherSlug: params.publisherSlug, slug: params.channelSlug }
    const [channel, publishers, notification] = await Promise.all([
      queryClient.ensureQueryData(channelQuery(address)),
      queryClient.ensureQueryData(myPublishersQuery()),
      other && queryClient.fetchQuery(ownNotificationQuery(address, other)),
    ])
    const mine = publishers.some(({ slug }) => slug === address.publisherSlug)
    if (!mine || !channel || channel === suspended || notification === null) throw notFound()
    if (params._splat === 'members' && channel.visibility !== 'private') throw notFound()
    return { address, notification: notification || undefined }
  },
  component: Studio,
})

function Studio() {
  const { address, notification } = Route.useLoaderData()
  const { _splat: page = '' } = Route.useParams()
  const { id, correct } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: channel } = useSuspenseQuery(channelQuery(address))
  if (!channel || channel === suspended) return null
  return (
    <StudioScreen
      key={`${channel.id} ${notification?.id}`}
      page={page}
      channel={channel}
      opened={id}
      notification={notification}
      correct={correct !== undefined}
      onOpen={(opened) => void navigate({ search: { id: opened }, replace: true, resetScroll: false })}
    />
  )
}

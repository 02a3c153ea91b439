import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { useCallback } from 'react'
import { channelQuery, suspended } from '../../data/channels'
import { draftQuery } from '../../data/drafts'
import { myPublishersQuery } from '../../data/publishers'
import { ownNotificationQuery } from '../../data/studio'
import { StudioScreen } from '../../features/studio/StudioScreen'
import { textOf } from '../../lib/search'

/**
 * `id`: of what is shown what became of it; `correct` and `from`: what is corrected, or used again; `draft`: what is gone
 * on with.
 */
type Search = { id?: string; correct?: string; from?: string; draft?: string }

/** The screens of one channel. They are one route, because every route is part of what `/` loads. */
export const Route = createFileRoute('/_auth/studio/$publisherSlug/$channelSlug/$')({
  staticData: { within: '/studio' },
  validateSearch: ({ id, correct, from, draft }: Record<string, unknown>): Search => ({
    id: textOf(id),
    correct: textOf(correct),
    from: textOf(from),
    draft: textOf(draft),
  }),
  loaderDeps: ({ search: { correct, from, draft } }) => ({ other: correct ?? from, begun: draft }),
  loader: async ({ context: { queryClient }, params, deps: { other, begun } }) => {
    const address = { publisherSlug: params.publisherSlug, slug: params.channelSlug }
    const [channel, publishers, notification, draft] = await Promise.all([
      queryClient.ensureQueryData(channelQuery(address)),
      queryClient.ensureQueryData(myPublishersQuery()),
      other && queryClient.fetchQuery(ownNotificationQuery(address, other)),
      begun && queryClient.fetchQuery(draftQuery(address, begun)),
    ])
    const mine = publishers.some(({ slug }) => slug === address.publisherSlug)
    if (!mine || !channel || channel === suspended || notification === null) throw notFound()
    if (params._splat === 'members' && channel.visibility !== 'private') throw notFound()
    return { address, notification: notification || undefined, draft: draft || undefined }
  },
  component: Studio,
})

function Studio() {
  const { address, notification, draft } = Route.useLoaderData()
  const { _splat: page = '' } = Route.useParams()
  const { id, correct } = Route.useSearch()
  const navigate = Route.useNavigate()
  const onSaved = useCallback(
    (saved: string) =>
      void navigate({ search: (before) => ({ ...before, draft: saved }), replace: true, resetScroll: false }),
    [navigate],
  )
  const onOpen = useCallback(
    (opened: string | undefined) => void navigate({ search: { id: opened }, replace: true, resetScroll: false }),
    [navigate],
  )
  const { data: channel } = useSuspenseQuery(channelQuery(address))
  if (!channel || channel === suspended) return null
  return (
    <StudioScreen
      key={`${channel.id} ${notification?.id}`}
      page={page}
      channel={channel}
      opened={id}
      notification={notification}
      draft={draft}
      correct={correct !== undefined}
      onSaved={onSaved}
      onOpen={onOpen}
    />
  )
}

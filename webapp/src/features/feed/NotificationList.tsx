import { Flex, Text, Title, VisuallyHidden } from '@mantine/core'
import { ApiError, type Notification } from '@sininho/sdk'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, Suspense, lazy, useEffect, useState } from 'react'
import { type FeedView, feedQuery } from '../../data/notifications'
import { useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { isSuspended } from '../../lib/api'
import { groupByDay } from '../../lib/dates'
import { whenIdle } from '../../lib/idle'
import { isPlaceMissing } from '../../lib/place'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { loadMenu } from '../../ui/Menu'
import { ListSkeleton } from '../../ui/skeletons'
import { ArrivedPill } from './ArrivedPill'
import { NotificationCard } from './NotificationCard'
import classes from './feed.module.css'
import { stackedIn } from './stacks'
import { useHeldBack } from './useHeldBack'
import { type NotificationActions, useNotificationActions } from './useNotificationActions'
import { useToday } from './useToday'

const ChannelMissing = lazy(() => import('../../ui/ChannelMissing'))
const ReportNotification = lazy(() => import('./ReportNotification'))

type Props = {
  view: FeedView
  /** The reader follows what is shown, so notifications have a read state. */
  followed?: boolean
  /** The id of the notification to scroll to. */
  focused?: string
  /** Ids of the notifications sent from this page. */
  own?: readonly string[]
  /** Shows only this many, each as soon as it arrives, without loading more. */
  first?: number
  /** Shown when the list is empty. */
  empty?: ReactNode
  /** Shows a notification beside the list, see {@link NotificationActions}. */
  select?: NotificationActions['select']
}

const none: readonly string[] = []

export function NotificationList({ view, followed = false, focused, own = none, first, empty, select }: Props) {
  const query = useInfiniteQuery(feedQuery(view))
  const all = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { shown, arrived, showArrived } = useHeldBack(all, first === undefined)
  const today = useToday()
  const signedIn = useSignedIn()
  const [reported, setReported] = useState<Notification>()
  const actions = useNotificationActions(signedIn ? setReported : undefined, select)
  const { hasNextPage, isFetching, fetchNextPage } = query
  const further = hasNextPage && !isFetching && isPlaceMissing(all.map(({ id }) => id))
  useEffect(() => {
    if (further) void fetchNextPage()
  }, [further, fetchNextPage, all.length])
  useEffect(() => {
    whenIdle(() => void loadMenu().catch(() => undefined))
  }, [])
  if (query.isPending) {
    return query.fetchStatus === 'paused' ? <OfflinePanel /> : <ListSkeleton label={words.loading} rows={5} />
  }
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <Suspense>
        <ChannelMissing suspended={isSuspended(query.error)} />
      </Suspense>
    )
  }
  if (!query.data) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.pages[0]?.meta.total === 0) return empty ?? <NothingPublished />
  const loadedWith = new Map(query.data.pages.flatMap(({ data }, page) => data.map(({ id }) => [id, page])))
  const days = groupByDay(shown.slice(0, first), publishedOn, today)
  const stacked = view.channel ? undefined : stackedIn(days.map(({ items }) => items))
  return (
    <Flex aria-label={words.feed.list} component="section" gap={20} pt={4} direction="column">
      <ArrivedPill count={arrived} onClick={showArrived} />
      {reported && (
        <Suspense>
          <ReportNotification notification={reported} onClose={() => setReported(undefined)} />
        </Suspense>
      )}
      {view.q && (
        <Text role="status" mb={-8} c="dimmed" fz={15}>
          {words.feed.found(query.data.pages[0]!.meta.total)}
        </Text>
      )}
      {days.map(({ label, items }) => (
        <Flex key={label} aria-label={label} component="section" gap={6} direction="column">
          <Title order={2} c="dimmed" fz="sm" fw={600}>
            {label}
          </Title>
          <div className={classes.cards}>
            {runsOf(items, loadedWith).map(({ page, run }) => (
              <div key={page} className={classes.run} data-further={page > 0 || undefined} style={lengthOf(run)}>
                {run.map((notification) => (
                  <NotificationCard
                    key={notification.id}
                    notification={notification}
                    actions={actions}
                    followed={followed}
                    focused={notification.id === focused}
                    inChannel={view.channel !== undefined}
                    stacked={stacked?.has(notification.id)}
                    q={view.q}
                    own={own.includes(notification.id)}
                  />
                ))}
              </div>
            ))}
          </div>
        </Flex>
      ))}
      {first === undefined && <LoadMore query={query} />}
      {first === undefined && !query.hasNextPage && (
        <Text py={16} c="dimmed" fz="sm" ta="center">
          {view.q ? words.feed.foundAll : words.feed.end}
        </Text>
      )}
      <VisuallyHidden role="status">{query.isFetchingNextPage ? words.loading : ''}</VisuallyHidden>
    </Flex>
  )
}

/** Estimates the height of a run while it is not laid out. */
const lengthOf = (run: readonly unknown[]) => ({ '--cards': run.length }) as CSSProperties

/** Splits a day's items by the page they were loaded with. Later pages are laid out only near the viewport. */
function runsOf(items: readonly Notification[], loadedWith: ReadonlyMap<string, number>) {
  const runs: { page: number; run: Notification[] }[] = []
  for (const item of items) {
    const page = loadedWith.get(item.id) ?? 0
    const last = runs.at(-1)
    if (last?.page === page) last.run.push(item)
    else runs.push({ page, run: [item] })
  }
  return runs
}

/** Scheduled notifications have no date yet, but are in no list. */
const publishedOn = ({ publishedAt }: Notification) => new Date(publishedAt ?? Date.now())

const NothingPublished = () => (
  <EmptyState icon={<IconBell />} title={words.feed.emptyChannel.title} text={words.feed.emptyChannel.text} />
)

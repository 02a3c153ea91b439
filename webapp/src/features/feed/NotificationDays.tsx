import { Flex, Text, VisuallyHidden } from '@mantine/core'
import type { Notification, NotificationPage } from '@sininho/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { FeedView } from '../../data/notifications'
import { useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { groupByDay } from '../../lib/dates'
import { isPlaceMissing } from '../../lib/place'
import { LoadMore } from '../../ui/LoadMore'
import { onDemand } from '../../ui/onDemand'
import { ArrivedPill } from './ArrivedPill'
import { DayOfCards } from './DayOfCards'
import { NotificationCard } from './NotificationCard'
import { stackedIn } from './stacks'
import { useHeldBack } from './useHeldBack'
import { type NotificationActions, useNotificationActions } from './useNotificationActions'
import { useToday } from './useToday'

const ReportNotification = onDemand(() => import('./ReportNotification'))

export type NotificationDaysProps = {
  view: FeedView
  /** The reader follows what is shown, so notifications have a read state. */
  followed?: boolean
  /** The id of the notification that is open. */
  openId?: string
  /** Ids of the notifications sent from this page. */
  own?: readonly string[]
  /** Shows only this many, each as soon as it arrives, without loading more. */
  first?: number
  /** Shows a notification beside the list, see {@link NotificationActions}. */
  select?: NotificationActions['select']
}

type Props = NotificationDaysProps & {
  query: UseInfiniteQueryResult<InfiniteData<NotificationPage>>
  pages: readonly NotificationPage[]
}

const none: readonly string[] = []

/** The loaded notifications of a view by day, and more on demand. */
export function NotificationDays({
  query,
  pages,
  view: { channel, q },
  followed = false,
  openId,
  own = none,
  first,
  select,
}: Props) {
  const all = pages.flatMap(({ data }) => data)
  const { shown, arrived, showArrived } = useHeldBack(all, first === undefined)
  const today = useToday()
  const signedIn = useSignedIn()
  const [reported, setReported] = useState<Notification>()
  const actions = useNotificationActions(signedIn ? setReported : undefined, select)
  const inChannel = channel !== undefined
  const list = useMemo(() => ({ actions, followed, inChannel, q }), [actions, followed, inChannel, q])
  const { hasNextPage, isFetching, fetchNextPage } = query
  // the page is being moved back to a place that is further down
  const further = hasNextPage && !isFetching && isPlaceMissing(all.map(({ id }) => id))
  useEffect(() => {
    if (further) void fetchNextPage()
  }, [further, fetchNextPage, all.length])

  const loadedWith = new Map(pages.flatMap(({ data }, page) => data.map(({ id }) => [id, page])))
  const days = groupByDay(shown.slice(0, first), publishedOn, today)
  const stacked = inChannel ? undefined : stackedIn(days.map(({ items }) => items))
  return (
    <Flex aria-label={words.feed.list} component="section" gap={20} pt={4} direction="column">
      <ArrivedPill count={arrived} onClick={showArrived} />
      {reported && <ReportNotification notification={reported} onClose={() => setReported(undefined)} />}
      {q && (
        <Text role="status" mb={-8} c="dimmed" fz={15}>
          {words.feed.found(pages[0]!.meta.total)}
        </Text>
      )}
      {days.map(({ label, items }) => (
        <DayOfCards key={label} label={label} items={items} loadedWith={loadedWith}>
          {(notification) => (
            <NotificationCard
              key={notification.id}
              notification={notification}
              list={list}
              marked={(notification.id === openId && 'open') || (own.includes(notification.id) && 'own') || undefined}
              stacked={stacked?.has(notification.id)}
            />
          )}
        </DayOfCards>
      ))}
      {first === undefined && <LoadMore query={query} />}
      {first === undefined && !hasNextPage && (
        <Text py={16} c="dimmed" fz="sm" ta="center">
          {q ? words.feed.foundAll : words.feed.end}
        </Text>
      )}
      <VisuallyHidden role="status">{query.isFetchingNextPage ? words.loading : ''}</VisuallyHidden>
    </Flex>
  )
}

/** Scheduled notifications have no date yet, but are in no list. */
const publishedOn = ({ publishedAt }: Notification) => new Date(publishedAt ?? Date.now())

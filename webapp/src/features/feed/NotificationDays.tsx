import { Flex, Skeleton, Text } from '@mantine/core'
import type { ChannelRef, Notification, NotificationPage } from '@sininho/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { FeedView } from '../../data/notifications'
import { useAccount } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { groupByDay } from '../../lib/dates'
import { isPlaceMissing } from '../../lib/place'
import { ifLoaded, onDemand } from '../../ui/onDemand'
import { DayOfCards } from './DayOfCards'
import { ListEnd } from './ListEnd'
import { NotificationCard } from './NotificationCard'
import { type Layout, type Row, rowsOf } from './rows'
import { useHeldBack } from './useHeldBack'
import { type NotificationActions, useNotificationActions } from './useNotificationActions'
import { useToday } from './useToday'

const ArrivedPill = ifLoaded(() => import('./ArrivedPill'))
/** Placeholder of the height of a card. */
const GroupCard = onDemand(() => import('./GroupCard'), <Skeleton height={74} radius={0} />)
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
  /** The name of the channel of whose group this is the list. */
  within?: string
  /** Shows a notification beside the list, see {@link NotificationActions}. */
  select?: NotificationActions['select']
}

/** Renders the list of what a channel has unread. */
export type ListOf = (channel: ChannelRef, shown: Pick<NotificationDaysProps, 'openId' | 'select'>) => ReactNode

type Props = NotificationDaysProps & {
  listOf: ListOf
  query: UseInfiniteQueryResult<InfiniteData<NotificationPage>>
  pages: readonly NotificationPage[]
  layout: Layout
  /** Lays the list out anew, because the reader wants to see what has arrived. */
  layOut: () => void
}

const none: readonly string[] = []

/** The loaded notifications of a view by day, and more on demand. */
export function NotificationDays(props: Props) {
  const { query, pages, layout, layOut, listOf, openId, own = none, first, within, select } = props
  const all = pages.flatMap(({ data }) => data)
  const { shown, arrived, showArrived } = useHeldBack(all, first === undefined)
  const today = useToday()
  const account = useAccount()
  const [reported, setReported] = useState<Notification>()
  const actions = useNotificationActions(account ? setReported : undefined, select)
  const list = useList(props, actions)
  useFurther(query, all)

  const loadedWith = new Map(pages.flatMap(({ data }, page) => data.map(({ id }) => [id, page])))
  const days = groupByDay(rowsOf(shown.slice(0, first), layout), placedOn, today)
  const end = days.at(-1)?.items.at(-1)
  const withRows = 1 + ((end && loadedWith.get(end.at.id)) ?? 0)
  const see = () => {
    layOut()
    showArrived()
  }
  return (
    <Flex aria-label={within ?? words.feed.list} component="section" gap={within ? 0 : 20} direction="column">
      {!within && <ArrivedPill count={arrived} onClick={see} />}
      {reported && <ReportNotification notification={reported} onClose={() => setReported(undefined)} />}
      {list.q && (
        <Text role="status" mb={-8} c="dimmed" fz={15}>
          {words.feed.found(pages[0]!.meta.total)}
        </Text>
      )}
      {days.map(({ label, items }) => (
        <DayOfCards key={label} label={label} rows={items} loadedWith={loadedWith} nested={list.nested}>
          {({ at, group }) =>
            group ? (
              <GroupCard
                key={at.channel.id}
                group={group}
                all={shown}
                openId={openId}
                select={select}
                listOf={listOf}
              />
            ) : (
              <NotificationCard
                key={at.id}
                notification={at}
                list={list}
                marked={(at.id === openId && 'open') || (own.includes(at.id) && 'own') || undefined}
              />
            )
          }
        </DayOfCards>
      ))}
      {first === undefined && (
        <ListEnd query={query} inGroups={pages.length - withRows} last={within ? undefined : lastWords(list.q)} />
      )}
    </Flex>
  )
}

const lastWords = (q: string | undefined) => (q ? words.feed.foundAll : words.feed.end)

/** What is the same for all cards. Stable, so that memoized cards do not render again. */
function useList({ view: { channel, q }, followed = false, within }: Props, actions: NotificationActions) {
  const inChannel = channel !== undefined
  const nested = within !== undefined
  return useMemo(() => ({ actions, followed, inChannel, nested, q }), [actions, followed, inChannel, nested, q])
}

/** Loads more while the page is being moved back to a place that is further down. */
function useFurther({ hasNextPage, isFetching, fetchNextPage }: Props['query'], all: readonly Notification[]) {
  const further = hasNextPage && !isFetching && isPlaceMissing(all.map(({ id }) => id))
  useEffect(() => {
    if (further) void fetchNextPage()
  }, [further, fetchNextPage, all.length])
}

/** Scheduled notifications have no date yet, but are in no list. */
const placedOn = ({ at: { publishedAt } }: Row) => new Date(publishedAt ?? Date.now())

import { Flex, Skeleton, Text } from '@mantine/core'
import type { ChannelRef, Notification, NotificationPage } from '@sininho/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type FeedView, isWhole } from '../../data/notifications'
import { useAccount } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { groupByDay } from '../../lib/dates'
import { isPlaceMissing } from '../../lib/place'
import { ifLoaded, onDemand } from '../../ui/onDemand'
import { DayOfCards } from './DayOfCards'
import { ListEnd } from './ListEnd'
import { NotificationCard } from './NotificationCard'
import { NowCards } from './NowCards'
import { type Layout, type Row, firstOf, rowsOf } from './rows'
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
  /** What is important, also further down. */
  important: readonly Notification[]
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
  const { now, alone, others } = partsOf(props, shown, all.slice(0, arrived))
  const days = groupByDay(rowsOf(others.slice(0, first), layout), placedOn, today)
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
      {now.length > 0 && <NowCards list={list} items={now} openId={openId} />}
      {days.map(({ label, items }) => (
        <DayOfCards key={label} label={label} rows={items} loadedWith={loadedWith} nested={within !== undefined}>
          {({ at, group }) =>
            group ? (
              <GroupCard
                key={at.channel.id}
                group={group}
                alone={alone}
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

/** Returns what comes first of a list, what has a row of its own, and what is not first. Nothing held back is in them. */
function partsOf({ view, important, layout }: Props, shown: Notification[], heldBack: readonly Notification[]) {
  const isImportant = ({ importance }: Notification) => importance === 'important'
  if (!isWhole(view)) return { now: [], alone: shown.filter(isImportant), others: shown }
  const ids = new Set([...shown, ...heldBack].map(({ id }) => id))
  const known = [...shown, ...important.filter(({ id }) => !ids.has(id))].toSorted(newestFirst)
  const now = firstOf(known, layout)
  const isNow = (item: Notification) => now.includes(item)
  return {
    now,
    alone: known.filter((item) => isImportant(item) || isNow(item)),
    others: shown.filter((item) => !isNow(item)),
  }
}

const newestFirst = (a: Notification, b: Notification) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')

const lastWords = (q: string | undefined) => (q ? words.feed.foundAll : words.feed.end)

/** What is the same for all cards. Stable, so that memoized cards do not render again. */
function useList({ view: { channel, q }, followed = false, within }: Props, actions: NotificationActions) {
  const inChannel = channel !== undefined
  const form = within === undefined ? undefined : 'titles'
  return useMemo(() => ({ actions, followed, inChannel, form, q }) as const, [actions, followed, inChannel, form, q])
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

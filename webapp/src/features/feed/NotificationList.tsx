import { VisuallyHidden } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { pt } from '../../i18n/pt'
import { groupByDay } from '../../lib/dates'
import type { ChannelAddress } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { ListSkeleton } from '../../ui/skeletons'
import { ArrivedPill } from './ArrivedPill'
import { NotificationCard } from './NotificationCard'
import classes from './NotificationList.module.css'
import { feedQuery } from './queries'
import { useHeldBack } from './useHeldBack'

type Props = {
  /** One channel; without it, the feed of all that are followed. */
  channel?: ChannelAddress
  /** Whether the reader follows what is shown, so that it is read or unread. */
  followed?: boolean
  /** The notification to show first of all. */
  focused?: string
  /** What to say when there is nothing. */
  empty?: ReactNode
}

export function NotificationList({ channel, followed = false, focused, empty }: Props) {
  const query = useInfiniteQuery(feedQuery(channel))
  const all = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { shown, arrived, showArrived } = useHeldBack(all)
  if (query.isPending) {
    return query.fetchStatus === 'paused' ? <OfflinePanel /> : <ListSkeleton label={pt.loading} rows={5} />
  }
  if (!query.data) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.pages[0]?.meta.total === 0) return empty ?? <NothingPublished />
  const days = groupByDay(shown, publishedOn)
  return (
    <section aria-label={pt.feed.list} className={classes.list}>
      <ArrivedPill count={arrived} onClick={showArrived} />
      {days.map(({ label, items }) => (
        <section key={label} aria-label={label} className={classes.day}>
          <h2 className={classes.label}>{label}</h2>
          {items.map((notification) => (
            <NotificationCard
              key={notification.id}
              notification={notification}
              followed={followed}
              focused={notification.id === focused}
              inChannel={channel !== undefined}
            />
          ))}
        </section>
      ))}
      {query.hasNextPage ? (
        <LoadMore
          onLoad={() => void query.fetchNextPage()}
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
        />
      ) : (
        <p className={classes.end}>{pt.feed.end}</p>
      )}
      <VisuallyHidden role="status">{query.isFetchingNextPage ? pt.loading : ''}</VisuallyHidden>
    </section>
  )
}

/** What is only scheduled has no date yet; it is in no list. */
const publishedOn = ({ publishedAt }: Notification) => new Date(publishedAt ?? Date.now())

const NothingPublished = () => (
  <EmptyState icon={<IconBell />} title={pt.feed.emptyChannel.title} text={pt.feed.emptyChannel.text} />
)

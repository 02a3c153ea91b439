import { ApiError } from '@sininho/sdk'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { feedQuery } from '../../data/notifications'
import { words } from '../../i18n/words'
import { isSuspended } from '../../lib/api'
import { whenIdle } from '../../lib/idle'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { onDemand } from '../../ui/onDemand'
import { ListSkeleton } from '../../ui/skeletons'
import { type ListOf, NotificationDays, type NotificationDaysProps } from './NotificationDays'
import { useImportant } from './useImportant'
import { useLayout } from './useLayout'

const ChannelMissing = onDemand(() => import('../../ui/ChannelMissing'))

type Props = NotificationDaysProps & {
  /** Shown when the list is empty. */
  empty?: ReactNode
}

/** The notifications of a view, or why there are none. */
export function LoadedNotifications({ empty = <NothingPublished />, ...shown }: Props) {
  const query = useInfiniteQuery(feedQuery(shown.view))
  const [layout, layOut] = useLayout(shown.view)
  const important = useImportant(shown.view, query.data?.pages)
  useEffect(() => {
    whenIdle(() => void import('../../ui/OpenMenu').catch(() => undefined))
  }, [])
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <ChannelMissing suspended={isSuspended(query.error)} />
  }
  const skeleton = <ListSkeleton rows={5} />
  return (
    <Loaded query={query} skeleton={skeleton}>
      {({ pages }) => {
        if (pages[0]?.meta.total === 0) return empty
        if (!layout || !important) return skeleton
        return <NotificationDays {...{ query, pages, important, layout, layOut, listOf, ...shown }} />
      }}
    </Loaded>
  )
}

/** The list of what a channel has unread, in its card. */
const listOf: ListOf = (channel, shown) => (
  <LoadedNotifications view={{ channel, part: 'unread' }} followed within={channel.name} empty={null} {...shown} />
)

const NothingPublished = () => (
  <EmptyState icon={<IconBell />} title={words.feed.emptyChannel.title} text={words.feed.emptyChannel.text} />
)

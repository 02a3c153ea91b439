import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ChannelSearch, channelsQuery } from '../../data/channels'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { ChannelCard } from './ChannelCard'
import classes from './channels.module.css'
import { ChannelListSkeleton } from './ChannelListSkeleton'

type Props = {
  search: ChannelSearch
  /** Shown when there are none. */
  empty: ReactNode
}

export function ChannelList({ search, empty }: Props) {
  const query = useInfiniteQuery({ ...channelsQuery(search), placeholderData: keepPreviousData })
  if (query.isPending) return query.fetchStatus === 'paused' ? <OfflinePanel /> : <ChannelListSkeleton />
  if (!query.data) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  const channels = query.data.pages.flatMap(({ data }) => data)
  if (channels.length === 0) return empty
  return (
    <>
      <ul className={classes.list} data-stale={query.isPlaceholderData || undefined}>
        {channels.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} ofPublisher={search.publisher !== undefined} q={search.q} />
        ))}
      </ul>
      {query.hasNextPage && (
        <LoadMore
          onLoad={() => void query.fetchNextPage()}
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
        />
      )}
    </>
  )
}

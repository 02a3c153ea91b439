import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ChannelSearch, channelsQuery } from '../../data/channels'
import { LoadMore } from '../../ui/LoadMore'
import { Loaded } from '../../ui/Loaded'
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
  return (
    <Loaded query={query} skeleton={<ChannelListSkeleton />}>
      {({ pages }) => {
        const channels = pages.flatMap(({ data }) => data)
        if (channels.length === 0) return empty
        return (
          <>
            <ul className={classes.list} data-stale={query.isPlaceholderData || undefined}>
              {channels.map((channel) => (
                <ChannelCard
                  key={channel.id}
                  channel={channel}
                  ofPublisher={search.publisher !== undefined}
                  q={search.q}
                />
              ))}
            </ul>
            <LoadMore query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

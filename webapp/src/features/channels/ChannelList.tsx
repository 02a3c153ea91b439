import { Button } from '@mantine/core'
import { IconMoodEmpty, IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ChannelSearch, channelsQuery } from '../../data/channels'
import { pt } from '../../i18n/pt'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { ListSkeleton } from '../../ui/skeletons'
import { ChannelCard } from './ChannelCard'
import classes from './ChannelList.module.css'

type Props = { search: ChannelSearch; onClear: () => void }

export function ChannelList({ search, onClear }: Props) {
  const query = useInfiniteQuery({ ...channelsQuery(search), placeholderData: keepPreviousData })
  if (query.isPending) {
    return query.fetchStatus === 'paused' ? <OfflinePanel /> : <ListSkeleton label={pt.loading} rows={5} />
  }
  if (!query.data) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  const channels = query.data.pages.flatMap(({ data }) => data)
  if (channels.length === 0) {
    return search.q || search.category ? (
      <EmptyState icon={<IconSearchOff />} title={pt.channels.empty.title} text={pt.channels.empty.text}>
        <Button variant="default" onClick={onClear}>
          {pt.channels.clear}
        </Button>
      </EmptyState>
    ) : (
      <EmptyState icon={<IconMoodEmpty />} title={pt.channels.none.title} text={pt.channels.none.text} />
    )
  }
  return (
    <>
      <ul className={classes.list} data-stale={query.isPlaceholderData || undefined}>
        {channels.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} />
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

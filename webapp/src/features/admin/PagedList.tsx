import { Paper } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { words } from '../../i18n/words'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorPanel, OfflinePanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { ListSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'

type Props<T> = {
  query: UseInfiniteQueryResult<{ pages: { data: T[]; meta: { total: number } }[] }>
  label: string
  empty: string
  children: (item: T) => ReactNode
  /** Gets the focus when a row with a focused button disappears. */
  list?: Ref<HTMLUListElement>
}

/** A list that is read page by page, in each of its states. */
export function PagedList<T>({ query, label, empty, children, list }: Props<T>) {
  if (query.isPending) {
    return query.fetchStatus === 'paused' ? (
      <OfflinePanel />
    ) : (
      <ListSkeleton label={words.loading} rows={3} tall={false} />
    )
  }
  if (!query.data) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  const items = query.data.pages.flatMap(({ data }) => data)
  if (items.length === 0) return <EmptyState icon={<IconCircleCheck />} title={empty} />
  return (
    <>
      <Paper component="ul" withBorder px={16} ref={list} tabIndex={-1} aria-label={label} className={ui.rows}>
        {items.map(children)}
      </Paper>
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

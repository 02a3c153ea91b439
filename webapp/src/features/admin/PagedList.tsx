import { Paper } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { EmptyState } from '../../ui/EmptyState'
import { LoadMore } from '../../ui/LoadMore'
import { Loaded } from '../../ui/Loaded'
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
export const PagedList = <T,>({ query, label, empty, children, list }: Props<T>) => (
  <Loaded query={query} skeleton={<ListSkeleton rows={3} tall={false} />}>
    {({ pages }) =>
      pages.every(({ data }) => data.length === 0) ? (
        <EmptyState icon={<IconCircleCheck />} title={empty} />
      ) : (
        <>
          <Paper component="ul" withBorder px={16} ref={list} tabIndex={-1} aria-label={label} className={ui.rows}>
            {pages.flatMap(({ data }) => data).map(children)}
          </Paper>
          <LoadMore query={query} />
        </>
      )
    }
  </Loaded>
)

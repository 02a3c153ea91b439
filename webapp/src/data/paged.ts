import type { Page, PageQuery } from '@sininho/sdk'
import { type QueryKey, infiniteQueryOptions } from '@tanstack/react-query'

const pageSize = 20

/** A list that is read page by page. */
export const pagedQuery = <T>(
  queryKey: QueryKey,
  fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: offset, signal }) => fetchPage({ limit: pageSize, offset }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ data, meta }, _pages, offset) =>
      data.length > 0 && offset + data.length < meta.total ? offset + data.length : undefined,
  })

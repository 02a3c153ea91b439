import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorPanel, OfflinePanel } from './ErrorPanel'

type Props<T> = { query: UseQueryResult<T>; skeleton: ReactNode; children: (data: T) => ReactNode }

/** Renders a query's data, or its skeleton, error or offline state. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
  return query.fetchStatus === 'paused' ? <OfflinePanel /> : skeleton
}

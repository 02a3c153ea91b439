import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** What was fetched has all that happened up to the position `from` of the stream, and nothing after `to`. */
type Positions = { from: number; to: number }

const positions = new WeakMap<Query, Positions>()

const queryOf = (client: QueryClient, queryKey: QueryKey) => client.getQueryCache().find({ queryKey, exact: true })

/** Remembers at which position of the stream a query was answered. `goesOn` after the first of several pages. */
export async function positioned<R extends { response: Response }>(
  { client, queryKey }: { client: QueryClient; queryKey: QueryKey },
  request: Promise<R>,
  goesOn = false,
): Promise<R> {
  const result = await request
  const query = queryOf(client, queryKey)
  const position = Number(result.response.headers.get('Stream-Position') ?? NaN)
  const before = goesOn && query && positions.get(query)
  if (query) positions.set(query, before ? { from: before.from, to: position } : { from: position, to: position })
  return result
}

/** Whether what was fetched has an event: certainly, certainly not, or one of its pages may have it. */
export function hasEvent(client: QueryClient, queryKey: QueryKey, id: string | undefined): 'yes' | 'no' | 'unsure' {
  const query = queryOf(client, queryKey)
  const known = query && positions.get(query)
  const at = Number(id)
  if (known && at <= known.from) return 'yes'
  return known && at <= known.to ? 'unsure' : 'no'
}

/** Remembers that an event was added to what was fetched. */
export function addedEvent(client: QueryClient, queryKey: QueryKey, id: string | undefined) {
  const query = queryOf(client, queryKey)
  if (query && id) positions.set(query, { from: Number(id), to: Number(id) })
}

/**
 * Returns where a stream must begin to miss nothing of the queries with these keys, once all that are on their way have
 * been answered. Undefined if no answer says where; then they must be fetched again when the stream is open.
 */
export async function startOfStream(
  client: QueryClient,
  queryKeys: QueryKey[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const cache = client.getQueryCache()
  const queries = () => queryKeys.flatMap((queryKey) => cache.findAll({ queryKey }))
  // a try that has failed is not waited for: what is tried again is fetched later than the others
  const isAwaited = ({ state }: Query) => state.fetchStatus === 'fetching' && state.fetchFailureCount === 0
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!signal.aborted && queries().some(isAwaited)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = cache.subscribe(check)
    signal.addEventListener('abort', check, { once: true })
    check()
  })
  const starts = queries().flatMap((query) => positions.get(query)?.from ?? [])
  const start = Math.min(...starts)
  return Number.isFinite(start) ? String(start) : undefined
}

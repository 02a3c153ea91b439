import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Shows a query's changed data at once. Returns a function that takes that back. */
export async function showAtOnce<Data>(client: QueryClient, queryKey: QueryKey, change: (data: Data) => Data) {
  await client.cancelQueries({ queryKey })
  const before = client.getQueryData<Data>(queryKey)
  client.setQueryData<Data>(queryKey, (data) => data && change(data))
  return () => client.setQueryData(queryKey, before)
}

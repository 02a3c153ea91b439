import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { useSignedIn } from './useSignedIn'

/** The publishers of which the signed-in person is a member. */
const myPublishersQuery = () =>
  queryOptions({
    queryKey: ['publishers', 'mine'],
    queryFn: ({ signal }) =>
      everything((page) => call(api().GET('/publishers', { params: { query: { ...page, mine: true } }, signal }))),
    staleTime: 60_000,
  })

/** Whether the signed-in person is a member of a publisher. */
export function useMember(publisherSlug: string): boolean {
  const { data } = useQuery({ ...myPublishersQuery(), enabled: useSignedIn() })
  return data?.some(({ slug }) => slug === publisherSlug) ?? false
}

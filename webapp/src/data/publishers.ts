import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, everything, unlessMissing } from '../lib/api'
import { channelKeys } from './channels'
import { useAccount } from './useSignedIn'

/** The publishers of which the signed-in person is a member. */
export const myPublishersQuery = () =>
  queryOptions({
    queryKey: ['publishers', 'mine'],
    queryFn: ({ signal }) =>
      everything((page) => call(api().GET('/publishers', { params: { query: { ...page, mine: true } }, signal }))),
    staleTime: 60_000,
  })

/** The channels of a publisher: for its members, also those that are unlisted or suspended. */
export const channelsOfQuery = (publisher: string) =>
  queryOptions({
    queryKey: ['publishers', 'channels', publisher],
    queryFn: ({ signal }) =>
      everything((page) => call(api().GET('/channels', { params: { query: { ...page, publisher } }, signal }))),
  })

/** How much a publisher stores, for its members. */
export const storageQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: ['publishers', 'storage', publisherSlug],
    queryFn: ({ signal }) =>
      call(api().GET('/publishers/{publisherSlug}/storage', { params: { path: { publisherSlug } }, signal })),
  })

/** Whether the signed-in person is a member of a publisher. */
export function useMember(publisherSlug: string): boolean {
  const { data } = useQuery({ ...myPublishersQuery(), enabled: useAccount() })
  return data?.some(({ slug }) => slug === publisherSlug) ?? false
}

/** One publisher, with what its channels add up to, or `null` if it does not exist or is suspended. */
export const publisherQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: channelKeys.publisher(publisherSlug),
    queryFn: ({ signal }) =>
      unlessMissing(call(api().GET('/publishers/{publisherSlug}', { params: { path: { publisherSlug } }, signal }))),
  })

/** The publishers that have the words and a channel that everyone can find. */
export const foundPublishersQuery = (q: string) =>
  queryOptions({
    queryKey: ['publishers', 'found', q],
    queryFn: async ({ signal }) => {
      const { data } = await call(api().GET('/publishers', { params: { query: { q, limit: 8 } }, signal }))
      return data.filter(({ channelCount }) => channelCount > 0)
    },
  })

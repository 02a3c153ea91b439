import type { ChannelSort } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, isSuspended, unlessMissing } from '../lib/api'
import { type ChannelAddress, paramsOf } from '../lib/paths'
import { pagedQuery } from './paged'

export type ChannelSearch = { q?: string; category?: string; publisher?: string; sort?: ChannelSort }

export const channelKeys = {
  /** Prefix of the keys of lists and single channels. */
  all: ['channels'] as const,
  lists: ['channels', 'list'] as const,
  list: (search: ChannelSearch) => ['channels', 'list', search] as const,
  suggestions: ['channels', 'suggested'] as const,
  suggested: (category?: string) => ['channels', 'suggested', category ?? 'all'] as const,
  active: ['channels', 'active'] as const,
  details: ['channels', 'detail'] as const,
  detail: ({ publisherSlug, slug }: ChannelAddress) => ['channels', 'detail', publisherSlug, slug] as const,
  publisher: (slug: string) => ['channels', 'publisher', slug] as const,
  publisherLatest: (slug: string) => ['channels', 'publisher-latest', slug] as const,
  followers: ({ publisherSlug, slug }: ChannelAddress) => ['channels', 'followers', publisherSlug, slug] as const,
}

export const channelsQuery = (search: ChannelSearch) =>
  pagedQuery(channelKeys.list(search), (query, signal) =>
    call(api().GET('/channels', { params: { query: { ...search, ...query } }, signal })),
  )

/** The most followed channels, of one category or of all. */
export const suggestedQuery = (category?: string) =>
  queryOptions({
    queryKey: channelKeys.suggested(category),
    queryFn: async ({ signal }) => {
      const query = { category, sort: 'popular', limit: 6 } as const
      return (await call(api().GET('/channels', { params: { query }, signal }))).data
    },
    staleTime: 60_000,
  })

/** The channels that have published last. */
export const activeQuery = () =>
  queryOptions({
    queryKey: channelKeys.active,
    queryFn: async ({ signal }) => {
      const query = { sort: 'active', limit: 3 } as const
      const { data } = await call(api().GET('/channels', { params: { query }, signal }))
      return data.filter(({ lastPublishedAt }) => lastPublishedAt)
    },
  })

/** Instead of a channel that only its publisher and the operators see. */
export const suspended = 'suspended'

/** One channel, or `null` if it does not exist, so that a missing channel is not retried as an error. */
export const channelQuery = (address: ChannelAddress) =>
  queryOptions({
    queryKey: channelKeys.detail(address),
    queryFn: async ({ signal }) => {
      const params = { path: paramsOf(address) }
      const request = call(api().GET('/channels/{publisherSlug}/{channelSlug}', { params, signal }))
      return unlessMissing(request.catch((error) => (isSuspended(error) ? suspended : Promise.reject(error))))
    },
  })

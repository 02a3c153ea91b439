import type { Notification } from '@sininho/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'
import type { ChannelAddress } from '../lib/paths'
import { streamAwaited } from './stream'
import { keptCurrent } from './timing'

export const notificationKeys = {
  all: ['feed'] as const,
  lists: ['feed', 'list'] as const,
  /** Key of the feed, or of one channel's list. */
  list: (channel?: ChannelAddress) =>
    [...notificationKeys.lists, channel ? `${channel.publisherSlug}/${channel.slug}` : 'all'] as const,
  latest: ({ publisherSlug, slug }: ChannelAddress) => ['feed', 'latest', `${publisherSlug}/${slug}`] as const,
  openedOnes: ['feed', 'opened'] as const,
  opened: (id: string) => [...notificationKeys.openedOnes, id] as const,
}

/** The page size that the specification sets. */
const limit = 10

type PageParam = { offset: number } | { cursor: string }

/**
 * The feed or one channel's notifications, newest first. Pages by cursor, which stays correct while new ones arrive, or
 * by offset if the server returns no cursor.
 */
export const feedQuery = (channel?: ChannelAddress) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(channel),
    queryFn: async ({ client, pageParam, signal }) => {
      await streamAwaited(client)
      const query = { limit, ...pageParam }
      if (!channel) return call(api().GET('/subscribers/notifications', { params: { query }, signal }))
      const path = { publisherSlug: channel.publisherSlug, channelSlug: channel.slug }
      return call(
        api().GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params: { path, query }, signal }),
      )
    },
    staleTime: keptCurrent,
    initialPageParam: { offset: 0 } as PageParam,
    getNextPageParam: ({ data, meta }, pages, last): PageParam | undefined => {
      if (meta.nextCursor !== undefined) return { cursor: meta.nextCursor }
      const offset = pages.reduce((sum, page) => sum + page.data.length, 0)
      return 'cursor' in last || data.length === 0 || offset >= meta.total ? undefined : { offset }
    },
  })

/** A channel's latest two notifications, as a sample. */
export const latestQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: notificationKeys.latest(channel),
    queryFn: async ({ client, signal }) => {
      await streamAwaited(client)
      const path = { publisherSlug: channel.publisherSlug, channelSlug: channel.slug }
      const request = api().GET('/channels/{publisherSlug}/{channelSlug}/notifications', {
        params: { path, query: { limit: 2 } },
        signal,
      })
      return (await call(request)).data
    },
    staleTime: 60_000,
  })

/**
 * The notification opened from a push, which may be anywhere in the feed. `null` if it does not exist, so that it is
 * not retried as an error.
 */
export const openedQuery = (id: string) =>
  queryOptions({
    queryKey: notificationKeys.opened(id),
    queryFn: async ({ client, signal }): Promise<Notification | null> => {
      await streamAwaited(client)
      return unlessMissing(call(api().GET('/subscribers/notifications/{id}', { params: { path: { id } }, signal })))
    },
  })

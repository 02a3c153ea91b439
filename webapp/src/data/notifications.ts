import type { Notification, NotificationPage } from '@sininho/sdk'
import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  infiniteQueryOptions,
  queryOptions,
} from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'
import { positioned } from './positions'
import { subscriptionsQuery } from './subscriptions'
import { keptCurrent } from './timing'

/** A part of the feed. */
export const feedParts = ['unread', 'important', 'snoozed', 'archived'] as const
export type FeedPart = (typeof feedParts)[number]

/** What a list shows: the feed or one channel, all of it or a part, and what is searched for in it. */
export type FeedView = { channel?: ChannelAddress; part?: FeedPart; q?: string }

/** Reports whether a list is the public one of a channel, which also has what the reader has archived. */
export const isPublic = ({ channel, part, q }: FeedView) => channel !== undefined && !part && !q

/** Reports whether a list is the whole feed. */
export const isWhole = ({ channel, part, q }: FeedView) => !channel && !part && !q

export const notificationKeys = {
  all: ['feed'] as const,
  lists: ['feed', 'list'] as const,
  /** The lists of what is in a person's feed. */
  own: ['feed', 'list', 'own'] as const,
  list: (view: FeedView = {}) => {
    const { channel, part = 'all', q = '' } = view
    const of = channel ? formatChannel(channel) : 'all'
    return [...notificationKeys.lists, isPublic(view) ? 'public' : 'own', of, part, q] as const
  },
  latest: ({ publisherSlug, slug }: ChannelAddress) => ['feed', 'latest', `${publisherSlug}/${slug}`] as const,
  /** Single notifications, as visitors see them. */
  single: (id: string) => ['feed', 'single', id] as const,
  openedOnes: ['feed', 'opened'] as const,
  opened: (id: string) => [...notificationKeys.openedOnes, id] as const,
}

/** The server's default page size, for which its memory of the newest notifications is sized. */
const limit = 10

type PageParam = { offset: number } | { cursor: string }

/**
 * The notifications of a view, newest first. Pages by cursor, which stays correct while new ones arrive, or by offset
 * if the server returns no cursor.
 */
export const feedQuery = (view: FeedView = {}) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(view),
    queryFn: async ({ client, queryKey, pageParam, signal }) => {
      const { channel, part, q } = view
      if (!channel || !isPublic(view)) {
        const channelId = channel && (await followedId(client, channel))
        const query = { limit, ...pageParam, ...(part && { [part]: true }), q, channelId }
        const page = api().GET('/subscribers/notifications', { params: { query }, signal })
        return call(positioned({ client, queryKey }, page, 'cursor' in pageParam))
      }
      const params = { path: paramsOf(channel), query: { limit, ...pageParam } }
      const page = api().GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params, signal })
      return call(positioned({ client, queryKey }, page, 'cursor' in pageParam))
    },
    staleTime: keptCurrent,
    initialPageParam: { offset: 0 } as PageParam,
    getNextPageParam: ({ data, meta }, pages, last): PageParam | undefined => {
      if (meta.nextCursor !== undefined) return { cursor: meta.nextCursor }
      const offset = pages.reduce((sum, page) => sum + page.data.length, 0)
      return 'cursor' in last || data.length === 0 || offset >= meta.total ? undefined : { offset }
    },
  })

const noChannel = '00000000-0000-0000-0000-000000000000'

/** The id of a followed channel. Of a channel that is not followed, nothing is in the feed. */
async function followedId(client: QueryClient, address: ChannelAddress) {
  const subscriptions = await client.ensureQueryData(subscriptionsQuery())
  return subscriptions.find(({ channel }) => formatChannel(channel) === formatChannel(address))?.channel.id ?? noChannel
}

/** A channel's latest notifications, as a sample. */
export const latestQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: notificationKeys.latest(channel),
    queryFn: async ({ client, queryKey, signal }) => {
      const params = { path: paramsOf(channel), query: { limit: 5 } }
      const request = api().GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params, signal })
      return (await call(positioned({ client, queryKey }, request))).data
    },
    staleTime: 60_000,
  })

/** A notification of a channel, as visitors see it. `null` if it does not exist. */
export const notificationQuery = (channel: ChannelAddress, id: string) =>
  queryOptions({
    queryKey: notificationKeys.single(id),
    queryFn: ({ signal }): Promise<Notification | null> => {
      const params = { path: { ...paramsOf(channel), id } }
      const request = api().GET('/channels/{publisherSlug}/{channelSlug}/notifications/{id}', { params, signal })
      return unlessMissing(call(request))
    },
  })

/**
 * The notification opened from a push, which may be anywhere in the feed. `null` if it does not exist, so that it is
 * not retried as an error.
 */
export const openedQuery = (id: string) =>
  queryOptions({
    queryKey: notificationKeys.opened(id),
    queryFn: ({ client, queryKey, signal }): Promise<Notification | null> => {
      const request = api().GET('/subscribers/notifications/{id}', { params: { path: { id } }, signal })
      return unlessMissing(call(positioned({ client, queryKey }, request)))
    },
  })

/** Returns a notification that is in one of the loaded lists. */
export const listed = (client: QueryClient, id: string): Notification | undefined =>
  client
    .getQueriesData<InfiniteData<NotificationPage>>({ queryKey: notificationKeys.lists })
    .flatMap(([, lists]) => lists?.pages ?? [])
    .flatMap(({ data }) => data)
    .find((item) => item.id === id)

/** Has the page of a notification that is in a list show it at once, without a connection too, and fetch it again. */
export function showListed(client: QueryClient, id: string) {
  const item = listed(client, id)
  const subscriptions = client.getQueryData(subscriptionsQuery().queryKey)
  if (!item) return
  const followed = subscriptions?.some(({ channel }) => channel.id === item.channel.id)
  const seed = (queryKey: QueryKey, data: Notification | null) => {
    if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, data, { updatedAt: 0 })
  }
  if (subscriptions) seed(notificationKeys.opened(id), followed ? item : null)
  if (!followed) seed(notificationKeys.single(id), item)
}

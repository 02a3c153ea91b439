import { queryOptions } from '@tanstack/react-query'
import { api, call, everything, unlessMissing } from '../lib/api'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'
import { pagedQuery } from './paged'

/** What only those who publish in a channel see of it. */
export const studioKeys = {
  all: ['studio'] as const,
  notifications: (channel: ChannelAddress) => ['studio', 'notifications', formatChannel(channel)] as const,
}

const channelPath = '/channels/{publisherSlug}/{channelSlug}'
const list = `${channelPath}/notifications` as const

/** What a channel has published, the latest first. */
export const publishedQuery = (channel: ChannelAddress) =>
  pagedQuery([...studioKeys.notifications(channel), 'published'], (query, signal) =>
    call(api().GET(list, { params: { path: paramsOf(channel), query }, signal })),
  )

/** What a channel is going to publish, the soonest first. */
export const scheduledQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: [...studioKeys.notifications(channel), 'scheduled'],
    queryFn: ({ signal }) =>
      everything((page) =>
        call(api().GET(list, { params: { path: paramsOf(channel), query: { ...page, scheduled: true } }, signal })),
      ),
  })

/** One notification of a channel, published or not, or `null` if there is none. */
export const ownNotificationQuery = (channel: ChannelAddress, id: string) =>
  queryOptions({
    queryKey: [...studioKeys.notifications(channel), id],
    queryFn: ({ signal }) =>
      unlessMissing(call(api().GET(`${list}/{id}`, { params: { path: { ...paramsOf(channel), id } }, signal }))),
  })

/** Milliseconds between looks at what becomes of a notification: while it is sent, and afterwards. */
const looks = { sending: 2000, sent: 15_000 }

/** What became of a notification, looked at again and again while it is shown. */
export const outcomeQuery = (channel: ChannelAddress, id: string) =>
  queryOptions({
    queryKey: [...studioKeys.notifications(channel), id, 'outcome'],
    queryFn: ({ signal }) =>
      call(api().GET(`${list}/{id}/deliveries`, { params: { path: { ...paramsOf(channel), id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.finished ? looks.sent : looks.sending),
  })

/**
 * Whether there is a channel, or a publisher, with an address already. Kept apart from the channel itself, which is about
 * to be created.
 */
export const takenQuery = ({ publisherSlug, slug }: { publisherSlug: string; slug?: string }) =>
  queryOptions({
    queryKey: [...studioKeys.all, 'taken', publisherSlug, slug],
    queryFn: async ({ signal }) => {
      const found: Promise<object> = slug
        ? call(api().GET(channelPath, { params: { path: { publisherSlug, channelSlug: slug } }, signal }))
        : call(api().GET('/publishers/{publisherSlug}', { params: { path: { publisherSlug } }, signal }))
      return (await unlessMissing(found)) !== null
    },
  })

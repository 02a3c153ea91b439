import type { Notification } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { channelKeys } from './channels'
import { latestQuery } from './notifications'

/** How many of a publisher's latest notifications are shown. */
const latest = 5

/**
 * The latest notifications of a publisher's public channels. Only as many channels are asked as notifications are
 * shown, those that published last: each of them has one that is later than all of the others' channels.
 */
export const publisherLatestQuery = (publisher: string) =>
  queryOptions({
    queryKey: channelKeys.publisherLatest(publisher),
    queryFn: async ({ client, signal }) => {
      const query = { publisher, sort: 'active', limit: latest } as const
      const { data } = await call(api().GET('/channels', { params: { query }, signal }))
      const active = data.filter(({ visibility, lastPublishedAt }) => visibility === 'public' && lastPublishedAt)
      const lists = await Promise.all(active.map((channel) => client.fetchQuery(latestQuery(channel))))
      return lists.flat().toSorted(newestFirst).slice(0, latest)
    },
    staleTime: 60_000,
  })

const newestFirst = (one: Notification, other: Notification) =>
  Date.parse(other.publishedAt ?? '') - Date.parse(one.publishedAt ?? '')

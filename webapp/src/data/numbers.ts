import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { dayMs } from '../lib/dates'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'
import { studioKeys } from './studio'

const path = '/channels/{publisherSlug}/{channelSlug}/deliveries'

/** The days of which a channel shows what became of its pushes: today, and as many as are in a month before. */
const days = 31

/** Milliseconds between looks at the numbers of a channel, while they are shown. */
const looks = 15_000

const numbersKey = (channel: ChannelAddress) => [...studioKeys.all, 'numbers', formatChannel(channel)] as const

/** What became of all that a channel published, by days in UTC, and whom a notification would reach now. It is live. */
export const numbersQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: numbersKey(channel),
    queryFn: ({ signal }) => {
      const today = Math.floor(Date.now() / dayMs) * dayMs
      const query = { from: new Date(today - (days - 1) * dayMs).toISOString() }
      return call(api().GET(path, { params: { path: paramsOf(channel), query }, signal }))
    },
    refetchInterval: looks,
  })

/** Whom a notification of a channel would reach now. Its period is an hour, so that nearly nothing else is counted. */
export const audienceQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: [...numbersKey(channel), 'audience'],
    queryFn: async ({ signal }) => {
      const query = { from: new Date(Date.now() - 60 * 60 * 1000).toISOString() }
      return (await call(api().GET(path, { params: { path: paramsOf(channel), query }, signal }))).audience
    },
  })

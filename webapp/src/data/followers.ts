import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { type ChannelAddress, paramsOf } from '../lib/paths'
import { channelKeys } from './channels'

/** The days of which a channel shows the number of followers: today, and as many as are in a month before. */
const days = 31

/** A plot of fewer days says nothing. */
const week = 7

/** Whether there are as many days as a plot needs. */
export const isWeek = (all: readonly unknown[] = []) => all.length >= week

/** The number of a channel's followers at the end of each of the last days, and now. */
export const followersQuery = (address: ChannelAddress) =>
  queryOptions({
    queryKey: channelKeys.followers(address),
    queryFn: async ({ signal }) => {
      const params = { path: paramsOf(address), query: { days } }
      return (await call(api().GET('/channels/{publisherSlug}/{channelSlug}/followers', { params, signal }))).data
    },
  })

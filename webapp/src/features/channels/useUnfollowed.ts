import type { Channel } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { channelQuery, subscriptionsQuery } from './queries'

const nowhere: ChannelAddress = { publisherSlug: '', slug: '' }

/** A channel that is shown without being followed; nothing of one that is followed, or as long as that is not known. */
export function useUnfollowed(address?: ChannelAddress): Channel | undefined {
  const { data: subscriptions } = useQuery(subscriptionsQuery())
  const followed = subscriptions?.some(({ channel }) => address && formatChannel(channel) === formatChannel(address))
  const enabled = address !== undefined && followed === false
  const { data } = useQuery({ ...channelQuery(address ?? nowhere), enabled })
  return (enabled && data) || undefined
}

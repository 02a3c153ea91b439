import type { Channel } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../lib/paths'
import { channelQuery, suspended } from './channels'
import { subscriptionsQuery } from './subscriptions'

const nowhere: ChannelAddress = { publisherSlug: '', slug: '' }

/** Returns the channel if the person does not follow it. Undefined if they do, or while that is not known yet. */
export function useUnfollowed(address?: ChannelAddress): Channel | undefined {
  const { data: subscriptions } = useQuery(subscriptionsQuery())
  const followed = subscriptions?.some(({ channel }) => address && formatChannel(channel) === formatChannel(address))
  const enabled = address !== undefined && followed === false
  const { data } = useQuery({ ...channelQuery(address ?? nowhere), enabled })
  return (enabled && data !== suspended && data) || undefined
}

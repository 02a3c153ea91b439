import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { subscriptionsQuery } from '../../data/subscriptions'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { BellMenu } from './BellMenu'

/** The bell of a followed channel. Renders nothing for other channels. */
export function ChannelBell({ channel, labelled = false }: { channel: ChannelAddress; labelled?: boolean }) {
  const { data, isPending } = useQuery(subscriptionsQuery())
  const subscription = data?.find((each) => formatChannel(each.channel) === formatChannel(channel))
  // keeps the space, so that the layout below does not shift
  if (isPending && labelled) return <Skeleton width={144} height={44} radius={22} />
  return subscription && <BellMenu subscription={subscription} labelled={labelled} />
}

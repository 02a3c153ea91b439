import { useQuery } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { BellSelect } from './BellSelect'
import { subscriptionsQuery } from './queries'

/** The bell of a channel that is followed; nothing of one that is not. */
export function ChannelBell({ channel }: { channel: ChannelAddress }) {
  const { data } = useQuery(subscriptionsQuery())
  const subscription = data?.find((each) => formatChannel(each.channel) === formatChannel(channel))
  return subscription && <BellSelect subscription={subscription} labelled />
}

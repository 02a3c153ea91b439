import { useQuery } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { BellMenu } from './BellMenu'
import { subscriptionsQuery } from './queries'

/** The bell of a channel that is followed; nothing of one that is not. */
export function ChannelBell({ channel, labelled = false }: { channel: ChannelAddress; labelled?: boolean }) {
  const { data } = useQuery(subscriptionsQuery())
  const subscription = data?.find((each) => formatChannel(each.channel) === formatChannel(channel))
  return subscription && <BellMenu subscription={subscription} labelled={labelled} />
}

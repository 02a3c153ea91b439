import { useUnfollowed } from '../../data/useUnfollowed'
import type { ChannelAddress } from '../../lib/paths'
import { onDemand } from '../../ui/onDemand'
import { ChannelBell } from './ChannelBell'

const UnfollowedActions = onDemand(() => import('./UnfollowedActions'))

/** Actions for the channel whose feed is shown: its bell if it is followed. */
export default function ChannelActions({ channel }: { channel: ChannelAddress }) {
  const unfollowed = useUnfollowed(channel)
  return unfollowed ? <UnfollowedActions channel={unfollowed} /> : <ChannelBell channel={channel} labelled />
}

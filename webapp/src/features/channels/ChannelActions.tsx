import { Suspense, lazy } from 'react'
import { useUnfollowed } from '../../data/useUnfollowed'
import type { ChannelAddress } from '../../lib/paths'
import { ChannelBell } from './ChannelBell'

const UnfollowedActions = lazy(() => import('./UnfollowedActions'))

/** Actions for the channel whose feed is shown: its bell if it is followed. */
export default function ChannelActions({ channel }: { channel: ChannelAddress }) {
  const unfollowed = useUnfollowed(channel)
  if (!unfollowed) return <ChannelBell channel={channel} labelled />
  return (
    <Suspense>
      <UnfollowedActions channel={unfollowed} />
    </Suspense>
  )
}

import type { Channel } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { followersQuery, isWeek } from '../../data/followers'
import { FollowerPlot } from '../../ui/FollowerPlot'

/** A plot of a channel's followers over the last month. Renders nothing before it has a week of them. */
export default function FollowerHistory({ channel, compact }: { channel: Channel; compact?: boolean }) {
  const { data: days = [] } = useQuery(followersQuery(channel))
  return isWeek(days) ? <FollowerPlot days={days} compact={compact} /> : null
}

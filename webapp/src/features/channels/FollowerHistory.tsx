import type { Channel, FollowerDay } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { followersQuery, isWeek } from '../../data/followers'
import { discovery } from '../../i18n/discovery'
import { Plot } from '../../ui/Plot'

const dayMs = 24 * 60 * 60 * 1000
/** Noon, so that it is the same date in every time zone that people live in. */
const noonOf = ({ day }: FollowerDay) => new Date(`${day}T12:00:00`).getTime()

/** A plot of a channel's followers over the last month. Renders nothing before it has a week of them. */
export default function FollowerHistory({ channel, compact }: { channel: Channel; compact?: boolean }) {
  const { data: days = [] } = useQuery(followersQuery(channel))
  if (!isWeek(days)) return null
  const { title, series, change, base: baseNote } = discovery.followers
  const times = days.map(noonOf)
  const values = days.map(({ followers }) => followers)
  const [from = 0, until = 0] = [times[0], times.at(-1)]
  const [first = 0, last = 0, lowest] = [values[0], values.at(-1), Math.min(...values)]
  const base = lowest - (lowest % 10)
  return (
    <Plot
      title={title}
      summary={change(last - first, days.length - 1)}
      from={from}
      until={until}
      part={dayMs}
      times={times}
      series={[{ name: series, values }]}
      base={base}
      note={base > 0 ? baseNote(base) : undefined}
      daily
      compact={compact}
    />
  )
}

import type { FollowerDay } from '@sininho/sdk'
import { discovery } from '../i18n/discovery'
import { dayMs } from '../lib/dates'
import { Plot } from './Plot'

/** Noon, so that it is the same date in every time zone that people live in. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00`).getTime()

/** A plot of a channel's followers by day. */
export function FollowerPlot({ days, compact }: { days: readonly FollowerDay[]; compact?: boolean }) {
  const { title, series, change, base: baseNote } = discovery.followers
  const times = days.map(({ day }) => noonOf(day))
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

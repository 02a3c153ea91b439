import type { Channel, FollowerDay } from '@sininho/sdk'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useEffect, useState } from 'react'
import { followersQuery } from '../../data/followers'
import { discovery } from '../../i18n/discovery'
import { Skeleton } from '../../ui/Skeleton'
import { height, linePath, scaleOf, width } from '../../ui/plotting'
import classes from './FollowerHistory.module.css'

/** The plot's code is loaded after the screen, before anyone can open it. */
const load = () => import('../../ui/Plot').then(({ Plot }) => ({ default: Plot }))
const Plot = lazy(load)

type Props = {
  channel: Channel
  /** Whether the plot shows at first. */
  opened?: boolean
}

/** A channel's followers over the last month: how many more there are and a small line, which opens a plot. */
export function FollowerHistory({ channel, opened = false }: Props) {
  const { data, isError } = useQuery(followersQuery(channel))
  useEffect(() => void load().catch(() => undefined), [])
  if (data) return data.length > 0 && <History days={data} opened={opened} />
  return isError ? null : <Skeleton height={58} radius={12} />
}

const dayMs = 24 * 60 * 60 * 1000
/** Noon, so that it is the same date in every time zone that people live in. */
const noonOf = ({ day }: FollowerDay) => new Date(`${day}T12:00:00`).getTime()

function History({ days, opened }: { days: FollowerDay[]; opened: boolean }) {
  const [open, setOpen] = useState(opened)
  const times = days.map(noonOf)
  const values = days.map(({ followers }) => followers)
  const [from = 0, until = 0] = [times[0], times.at(-1)]
  const change = (values.at(-1) ?? 0) - (values[0] ?? 0)
  const lowest = Math.min(...values)
  const series = { name: discovery.followers.series, values }
  const frame = { from, until: Math.max(until, from + dayMs), part: dayMs, base: lowest - (lowest % 10) }
  return (
    <details className={classes.history} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>
        <span className={classes.words}>
          <span className={classes.title}>{discovery.followers.series}</span>
          <span className={classes.change} data-more={change > 0 || undefined}>
            {days.length > 1 ? discovery.followers.change(change, days.length - 1) : discovery.followers.today}
          </span>
        </span>
        <Line times={times} values={values} />
        <IconChevronDown size={20} aria-hidden className={classes.mark} />
      </summary>
      {open && (
        <Suspense fallback={<Skeleton height={232} radius={12} />}>
          <Plot title={discovery.followers.title} {...frame} times={times} series={[series]} daily />
        </Suspense>
      )}
    </details>
  )
}

/** The line alone, as high as its place. */
function Line({ times, values }: { times: number[]; values: number[] }) {
  const [from = 0, until = 0] = [times[0], times.at(-1)]
  if (until === from) return null
  const base = Math.min(...values)
  const scale = scaleOf({ from, until, part: dayMs, series: [{ name: '', values }], base })
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className={classes.line} aria-hidden>
      <path d={linePath(scale, times, values)} />
    </svg>
  )
}

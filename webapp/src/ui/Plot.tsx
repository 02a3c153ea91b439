import { Flex, Paper, Title, VisuallyHidden } from '@mantine/core'
import { type PointerEvent, useId, useState } from 'react'
import { plot } from '../i18n/plot'
import { number } from '../i18n/words'
import { dayLabel, timeLabel } from '../lib/dates'
import { PlotTable } from './PlotTable'
import classes from './Plot.module.css'
import { type Series, height, linePath, scaleOf, width } from './plotting'

type Props = {
  title: string
  /** When the period begins and ends, in milliseconds. */
  from: number
  until: number
  /** The length of a part in milliseconds. Lines are interrupted where a part is missing. */
  part: number
  times: readonly number[]
  series: readonly [Series, ...Series[]]
  /** Whether the values can be added up; otherwise their highest is shown. */
  summed?: boolean
  /** Whether the parts are days, so that times of day are left out. */
  daily?: boolean
  /** The value at the bottom. */
  base?: number
  /** Shown beside the title instead of the highest value. */
  summary?: string
  /** For those who do not see the scale. */
  note?: string
  /** As small as what is beside something else. */
  compact?: boolean
  format?: (value: number) => string
  unitOf?: (value: number) => number
}

const styles = [classes.s0, classes.s1, classes.s2, classes.s3]

/** Lines over time, which name their values where the pointer is. The same numbers are in a table below. */
export function Plot({
  title,
  from,
  until,
  part,
  times,
  series,
  summed = false,
  daily = false,
  base = 0,
  format = number,
  unitOf,
  summary,
  note,
  compact = false,
}: Props) {
  const id = useId()
  const [at, setAt] = useState<number>()
  const scale = scaleOf({ from, until, part, series, base, unitOf })
  const label = daily ? dayOf : momentOf
  const near = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect()
    setAt(scale.nearest(times, (event.clientX - left) / wide))
  }
  const summaryOf = (values: readonly number[]) =>
    summed
      ? plot.total(format(values.reduce((sum, value) => sum + value, 0)))
      : plot.highest(format(Math.max(0, ...values)))
  const [first] = series
  const pointed = at === undefined ? undefined : times[at]
  return (
    <Paper
      component="figure"
      withBorder
      p={compact ? '12px 14px' : 16}
      className={classes.figure}
      data-compact={compact || undefined}
      aria-labelledby={id}
    >
      <Flex component="figcaption" align="baseline" justify="space-between" gap="4px 16px" wrap="wrap">
        <Title order={2} id={id} fz={compact ? 'sm' : 'md'} fw={650}>
          {title}
        </Title>
        <span className={classes.summary}>
          {[
            ...(pointed === undefined ? [] : [label(pointed)]),
            ...(series.length > 1
              ? []
              : [at === undefined ? (summary ?? summaryOf(first.values)) : format(first.values[at] ?? 0)]),
          ].join(': ')}
        </span>
      </Flex>
      <div className={classes.plot}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className={classes.canvas}
          aria-hidden
          onPointerMove={near}
          onPointerDown={near}
          onPointerLeave={() => setAt(undefined)}
        >
          {(compact ? [1] : [0, 0.5, 1]).map((y) => (
            <line key={y} x1={0} x2={width} y1={y * height} y2={y * height} className={classes.grid} />
          ))}
          <path d={linePath(scale, times, first.values, true)} className={`${classes.area} ${styles[0]}`} />
          {series.map(({ name, values }, index) => (
            <path key={name} d={linePath(scale, times, values)} className={`${classes.line} ${styles[index]}`} />
          ))}
          {pointed !== undefined && (
            <line x1={scale.x(pointed)} x2={scale.x(pointed)} y1={0} y2={height} className={classes.cursor} />
          )}
        </svg>
        <div className={classes.scale} aria-hidden>
          {(compact ? [scale.top, base] : [scale.top, (scale.top + base) / 2, base]).map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <div className={classes.axis} aria-hidden>
          <span>{label(from)}</span>
          {!daily && <span>{label((from + until) / 2)}</span>}
          <span>{label(until)}</span>
        </div>
      </div>
      {series.length > 1 && (
        <Flex component="ul" gap="4px 16px" mih={20} fz="sm" wrap="wrap" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {series.map(({ name, values }, index) => (
            <Flex key={name} component="li" display="inline-flex" align="center" gap={8}>
              <svg viewBox="0 0 20 8" className={classes.sample} aria-hidden>
                <line x1={0} x2={20} y1={4} y2={4} className={`${classes.line} ${styles[index]}`} />
              </svg>
              {name}
              {at === undefined ? ` · ${summaryOf(values)}` : `: ${format(values[at] ?? 0)}`}
            </Flex>
          ))}
        </Flex>
      )}
      {note && <VisuallyHidden>{note}</VisuallyHidden>}
      <PlotTable title={title} times={times} series={series} daily={daily} format={format} />
    </Paper>
  )
}

const dayOf = (at: number) => dayLabel(new Date(at))
const momentOf = (at: number) => `${dayOf(at)} ${timeLabel(new Date(at))}`

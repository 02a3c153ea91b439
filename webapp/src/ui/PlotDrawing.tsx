import type { PointerEvent } from 'react'
import { number } from '../i18n/words'
import classes from './Plot.module.css'
import { type Plotted, type Series, height, linePath, scaleOf, width } from './plotting'

export type Drawn = Plotted & {
  times: readonly number[]
  series: readonly [Series, ...Series[]]
  /** Whether the parts are days, so that times of day are left out. */
  daily?: boolean
  /** As small as what is beside something else. */
  compact?: boolean
  format?: (value: number) => string
}

type Props = Drawn & {
  labelOf: (at: number) => string
  /** The index of the time at which the pointer is. */
  at: number | undefined
  onPoint: (at: number | undefined) => void
}

const colours = [classes.s0, classes.s1, classes.s2, classes.s3]
export const lineOf = (index: number) => `${classes.line} ${colours[index]}`

/** The lines of a plot with their scale and the period. */
export function PlotDrawing({
  labelOf,
  at,
  onPoint,
  compact = false,
  daily = false,
  format = number,
  ...drawn
}: Props) {
  const { from, until, times, series, base = 0 } = drawn
  const scale = scaleOf(drawn)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect()
    onPoint(scale.nearest(times, (event.clientX - left) / wide))
  }
  return (
    <div className={classes.plot}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={classes.canvas}
        aria-hidden
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(undefined)}
      >
        {(compact ? [1] : [0, 0.5, 1]).map((y) => (
          <line key={y} x1={0} x2={width} y1={y * height} y2={y * height} className={classes.grid} />
        ))}
        <path d={linePath(scale, times, series[0].values, true)} className={`${classes.area} ${colours[0]}`} />
        {series.map(({ name, values }, index) => (
          <path key={name} d={linePath(scale, times, values)} className={lineOf(index)} />
        ))}
        {at !== undefined && <Cursor x={scale.x(times[at]!)} />}
      </svg>
      <div className={classes.scale} aria-hidden>
        {(compact ? [scale.top, base] : [scale.top, (scale.top + base) / 2, base]).map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{labelOf(from)}</span>
        {!daily && <span>{labelOf((from + until) / 2)}</span>}
        <span>{labelOf(until)}</span>
      </div>
    </div>
  )
}

const Cursor = ({ x }: { x: number }) => <line x1={x} x2={x} y1={0} y2={height} className={classes.cursor} />

import { Flex, Paper, Title, VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'
import { plot } from '../i18n/plot'
import { number } from '../i18n/words'
import { dayLabel, timeLabel } from '../lib/dates'
import classes from './Plot.module.css'
import { type Drawn, PlotDrawing, lineOf } from './PlotDrawing'
import { PlotTable } from './PlotTable'

type Props = Drawn & {
  title: string
  /** Whether the values can be added up; otherwise their highest is shown. */
  summed?: boolean
  /** Shown beside the title instead of the highest value. */
  summary?: string
  /** For those who do not see the scale. */
  note?: string
}

/** Lines over time, which name their values where the pointer is. The same numbers are in a table below. */
export function Plot({ title, summed, summary, note, ...drawn }: Props) {
  const { times, series, daily, compact, format = number } = drawn
  const id = useId()
  const [pointed, setPointed] = useState<number>()
  // there may be fewer times than when the pointer moved
  const at = pointed !== undefined && pointed < times.length ? pointed : undefined
  const labelOf = daily ? dayOf : momentOf
  const summaryOf = (values: readonly number[]) =>
    summed
      ? plot.total(format(values.reduce((sum, value) => sum + value, 0)))
      : plot.highest(format(Math.max(0, ...values)))
  const valueAt = (values: readonly number[], index: number) => format(values[index] ?? 0)
  const only = series.length === 1 ? series[0].values : undefined
  return (
    <Paper
      component="figure"
      withBorder
      p={compact ? '12px 14px' : 16}
      className={classes.figure}
      mod={{ compact }}
      aria-labelledby={id}
    >
      <Flex component="figcaption" align="baseline" justify="space-between" gap="4px 16px" wrap="wrap">
        <Title order={2} id={id} fz={compact ? 'sm' : 'md'} fw={650}>
          {title}
        </Title>
        <span className={classes.summary}>
          {at === undefined
            ? only && (summary ?? summaryOf(only))
            : [labelOf(times[at]!), ...(only ? [valueAt(only, at)] : [])].join(': ')}
        </span>
      </Flex>
      <PlotDrawing labelOf={labelOf} at={at} onPoint={setPointed} {...drawn} />
      {!only && (
        <Flex component="ul" gap="4px 16px" mih={20} fz="sm" wrap="wrap" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {series.map(({ name, values }, index) => (
            <Flex key={name} component="li" display="inline-flex" align="center" gap={8}>
              <svg viewBox="0 0 20 8" className={classes.sample} aria-hidden>
                <line x1={0} x2={20} y1={4} y2={4} className={lineOf(index)} />
              </svg>
              {name}
              {at === undefined ? ` · ${summaryOf(values)}` : `: ${valueAt(values, at)}`}
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

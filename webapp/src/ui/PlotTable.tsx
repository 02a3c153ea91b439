import { type MouseEvent, useState } from 'react'
import { plot } from '../i18n/plot'
import { dayLabel, groupByDay, timeLabel } from '../lib/dates'
import type { Series } from './plotting'
import table from './Table.module.css'
import classes from './Plot.module.css'

type Props = {
  title: string
  times: readonly number[]
  series: readonly Series[]
  daily: boolean
  format: (value: number) => string
}

/** The numbers of a plot, newest first, for those who cannot see it and for exact values. */
export function PlotTable({ title, times, series, daily, format }: Props) {
  const [open, setOpen] = useState(false)
  const newest = open ? [...times.entries()].toReversed() : []
  const row = ([index, at]: [number, number]) => (
    <tr key={at}>
      <th scope="row" className={classes.time}>
        {(daily ? dayLabel : timeLabel)(new Date(at))}
      </th>
      {series.map(({ name, values }) => (
        <td key={name} className={table.number}>
          {format(values[index] ?? 0)}
        </td>
      ))}
    </tr>
  )
  return (
    <details className={classes.numbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary onClick={keepInPlace} aria-label={(open ? plot.hideTableOf : plot.showTableOf)(title)}>
        {open ? plot.hideTable : plot.showTable}
      </summary>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <div className={classes.tableBox} tabIndex={0} role="region" aria-label={plot.table(title)}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{daily ? plot.day : plot.time}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className={table.number}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            {daily ? (
              <tbody>{newest.map(row)}</tbody>
            ) : (
              groupByDay(newest, ([, at]) => new Date(at)).map(({ day, label, items }) => (
                <tbody key={day}>
                  <tr>
                    <th colSpan={series.length + 1} scope="rowgroup">
                      {label}
                    </th>
                  </tr>
                  {items.map(row)}
                </tbody>
              ))
            )}
          </table>
        </div>
      )}
    </details>
  )
}

/** Where the numbers move their plot to another line, scrolls along. */
function keepInPlace({ currentTarget: summary }: MouseEvent) {
  const { top } = summary.getBoundingClientRect()
  requestAnimationFrame(() => scrollBy({ top: summary.getBoundingClientRect().top - top, behavior: 'instant' }))
}

import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { groupByDay, timeLabel } from '../../lib/dates'
import type { Series } from './plotting'
import table from './admin.module.css'
import classes from './Plot.module.css'

type Props = {
  title: string
  times: readonly number[]
  series: readonly Series[]
  format: (value: number) => string
}

/** The numbers of a plot, newest first, for those who cannot see it and for exact values. */
export function PlotTable({ title, times, series, format }: Props) {
  const [open, setOpen] = useState(false)
  const days = open ? groupByDay([...times.entries()].toReversed(), ([, at]) => new Date(at)) : []
  return (
    <details className={classes.numbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={admin.health.showTableOf(title)}>{admin.health.showTable}</summary>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <div className={classes.tableBox} tabIndex={0} role="region" aria-label={admin.health.table(title)}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{admin.health.time}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className={table.number}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            {days.map(({ day, label, items }) => (
              <tbody key={day}>
                <tr>
                  <th colSpan={series.length + 1} scope="rowgroup">
                    {label}
                  </th>
                </tr>
                {items.map(([index, at]) => (
                  <tr key={at}>
                    <th scope="row" className={classes.time}>
                      {timeLabel(new Date(at))}
                    </th>
                    {series.map(({ name, values }) => (
                      <td key={name} className={table.number}>
                        {format(values[index] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </details>
  )
}

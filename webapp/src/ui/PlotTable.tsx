import { Table } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import { plot } from '../i18n/plot'
import { dayLabel, groupByDay, timeLabel } from '../lib/dates'
import type { Series } from './plotting'
import classes from './Plot.module.css'

type Props = {
  title: string
  times: readonly number[]
  series: readonly Series[]
  daily?: boolean
  format: (value: number) => string
}

/** The numbers of a plot, newest first, for those who cannot see it and for exact values. */
export function PlotTable({ title, times, series, daily, format }: Props) {
  const [open, setOpen] = useState(false)
  const newest = open ? [...times.entries()].toReversed() : []
  const row = ([index, at]: [number, number]) => (
    <Table.Tr key={at}>
      <Table.Th scope="row" style={{ whiteSpace: 'nowrap' }}>
        {(daily ? dayLabel : timeLabel)(new Date(at))}
      </Table.Th>
      {series.map(({ name, values }) => (
        <Table.Td key={name} ta="end">
          {format(values[index] ?? 0)}
        </Table.Td>
      ))}
    </Table.Tr>
  )
  return (
    <details className={classes.numbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary onClick={keepInPlace} aria-label={(open ? plot.hideTableOf : plot.showTableOf)(title)}>
        {open ? plot.hideTable : plot.showTable}
      </summary>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <div className={classes.tableBox} tabIndex={0} role="region" aria-label={plot.table(title)}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{daily ? plot.day : plot.time}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Th key={name} scope="col" ta="end">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            {daily ? (
              <Table.Tbody>{newest.map(row)}</Table.Tbody>
            ) : (
              groupByDay(newest, ([, at]) => new Date(at)).map(({ day, label, items }) => (
                <Table.Tbody key={day}>
                  <Table.Tr>
                    <Table.Th colSpan={series.length + 1} scope="rowgroup">
                      {label}
                    </Table.Th>
                  </Table.Tr>
                  {items.map(row)}
                </Table.Tbody>
              ))
            )}
          </Table>
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

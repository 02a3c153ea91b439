import { Flex, Title } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { words } from '../../i18n/words'
import classes from './feed.module.css'
import type { Row } from './rows'

type Props = {
  label: string
  rows: readonly Row[]
  /** The number of the page that a notification was loaded with, by its id. */
  loadedWith: ReadonlyMap<string, number>
  /** The list is in a card, which has a heading. */
  nested: boolean
  children: (row: Row) => ReactNode
}

/** The notifications of a day. Those of later pages are laid out only near the viewport. */
export const DayOfCards = ({ label, rows, loadedWith, nested, children }: Props) => (
  <Flex
    aria-label={label}
    component={nested ? 'div' : 'section'}
    role={nested ? 'group' : undefined}
    gap={6}
    direction="column"
  >
    <Title
      order={nested ? 4 : 2}
      c="dimmed"
      fz="sm"
      fw={600}
      className={classes.day}
      mod={{ evident: label === words.feed.now || label === words.dates.today }}
    >
      {label}
    </Title>
    <div className={classes.cards}>
      {runsOf(rows, loadedWith).map(({ page, run }) => (
        <div key={page} className={classes.run} data-further={page > 0 || undefined} style={lengthOf(run)}>
          {run.map(children)}
        </div>
      ))}
    </div>
  </Flex>
)

/** Estimates the height of a run while it is not laid out. */
const lengthOf = (run: readonly unknown[]) => ({ '--cards': run.length }) as CSSProperties

/** Splits a day's rows by the page they were loaded with. */
function runsOf(rows: readonly Row[], loadedWith: ReadonlyMap<string, number>) {
  const runs: { page: number; run: Row[] }[] = []
  for (const row of rows) {
    const page = loadedWith.get(row.at.id) ?? 0
    const last = runs.at(-1)
    if (last?.page === page) last.run.push(row)
    else runs.push({ page, run: [row] })
  }
  return runs
}

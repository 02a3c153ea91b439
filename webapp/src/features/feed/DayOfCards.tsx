import { Flex, Title } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import type { CSSProperties, ReactNode } from 'react'
import classes from './feed.module.css'

type Props = {
  label: string
  items: readonly Notification[]
  /** The number of the page that an item was loaded with, by the item's id. */
  loadedWith: ReadonlyMap<string, number>
  /** Renders an item. */
  children: (item: Notification) => ReactNode
}

/** The notifications of a day. Those of later pages are laid out only near the viewport. */
export const DayOfCards = ({ label, items, loadedWith, children }: Props) => (
  <Flex aria-label={label} component="section" gap={6} direction="column">
    <Title order={2} c="dimmed" fz="sm" fw={600}>
      {label}
    </Title>
    <div className={classes.cards}>
      {runsOf(items, loadedWith).map(({ page, run }) => (
        <div key={page} className={classes.run} data-further={page > 0 || undefined} style={lengthOf(run)}>
          {run.map(children)}
        </div>
      ))}
    </div>
  </Flex>
)

/** Estimates the height of a run while it is not laid out. */
const lengthOf = (run: readonly unknown[]) => ({ '--cards': run.length }) as CSSProperties

/** Splits a day's items by the page they were loaded with. */
function runsOf(items: readonly Notification[], loadedWith: ReadonlyMap<string, number>) {
  const runs: { page: number; run: Notification[] }[] = []
  for (const item of items) {
    const page = loadedWith.get(item.id) ?? 0
    const last = runs.at(-1)
    if (last?.page === page) last.run.push(item)
    else runs.push({ page, run: [item] })
  }
  return runs
}

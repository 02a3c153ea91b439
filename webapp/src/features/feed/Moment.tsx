import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'
import { fullLabel, sinceLabel } from '../../lib/dates'

/** When it was published, kept true while it is looked at; the whole date on pointing at it. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at)
  const label = useSyncExternalStore(subscribeClock, () => sinceLabel(date))
  return (
    <time dateTime={at} title={fullLabel(date)}>
      {label}
    </time>
  )
}

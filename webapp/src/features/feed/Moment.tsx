import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'
import { fullLabel, sinceLabel } from '../../lib/dates'

/** The time of publication, updated while it is visible. The tooltip has the full date. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at)
  const label = useSyncExternalStore(subscribeClock, () => sinceLabel(date))
  return (
    <time dateTime={at} title={fullLabel(date)}>
      {label}
    </time>
  )
}

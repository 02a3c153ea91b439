import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../lib/clock'
import { fullLabel, sinceLabel } from '../lib/dates'

type Props = {
  at: string
  /** In words, with what else is said of it. Without, the time of a row below a heading that has the day. */
  label?: (date: Date) => string
  className?: string
}

/** A moment, in words that stay true while they are visible. The tooltip has the full date. */
export function Moment({ at, label = sinceLabel, className }: Props) {
  const date = new Date(at)
  const text = useSyncExternalStore(subscribeClock, () => label(date))
  return (
    <time className={className} dateTime={at} title={fullLabel(date)}>
      {text}
    </time>
  )
}

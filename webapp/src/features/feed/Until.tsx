import { useSyncExternalStore } from 'react'
import { words } from '../../i18n/words'
import { subscribeClock } from '../../lib/clock'
import { fullLabel } from '../../lib/dates'
import { isPast, untilLabel } from '../../lib/spans'
import classes from './feed.module.css'

/** Until when a notification is valid. Its card turns grey when that is past. */
export default function Until({ at }: { at: string }) {
  const date = new Date(at)
  const past = useSyncExternalStore(subscribeClock, () => isPast(date))
  return (
    <time className={past ? classes.expired : classes.until} dateTime={at} title={fullLabel(date)}>
      {past ? words.feed.expired : words.feed.until(untilLabel(date))}
    </time>
  )
}

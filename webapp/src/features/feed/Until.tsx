import { useSyncExternalStore } from 'react'
import { words } from '../../i18n/words'
import { subscribeClock } from '../../lib/clock'
import { isPast, untilLabel } from '../../lib/spans'
import { Moment } from '../../ui/Moment'
import classes from './feed.module.css'

const label = (date: Date) => (isPast(date) ? words.feed.expired : words.feed.until(untilLabel(date)))

/** Until when a notification is valid. Its card turns grey when that is past. */
export default function Until({ at }: { at: string }) {
  const past = useSyncExternalStore(subscribeClock, () => isPast(new Date(at)))
  return <Moment at={at} label={label} className={past ? classes.expired : classes.until} />
}

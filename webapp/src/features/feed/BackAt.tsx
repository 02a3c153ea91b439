import { snooze as words } from '../../i18n/snooze'
import { fullLabel } from '../../lib/dates'
import { untilLabel } from '../../lib/spans'
import classes from './feed.module.css'

/** Until when a notification is postponed. */
export default function BackAt({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time className={classes.back} dateTime={at} title={fullLabel(date)}>
      {words.until(untilLabel(date))}
    </time>
  )
}

import { snooze as words } from '../../i18n/snooze'
import { untilLabel } from '../../lib/spans'
import { Moment } from '../../ui/Moment'
import classes from './feed.module.css'

/** Until when a notification is postponed. */
export default function BackAt({ at }: { at: string }) {
  return <Moment at={at} label={(date) => words.until(untilLabel(date))} className={classes.back} />
}

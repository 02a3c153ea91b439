import { momentLabel } from '../lib/moment'
import { Moment } from './Moment'
import classes from './ui.module.css'

/** When something happened, with its day: at the end of the first line of a row, and below the title of a page. */
export const DatedMoment = ({ at }: { at: string }) => <Moment at={at} label={momentLabel} className={classes.dated} />

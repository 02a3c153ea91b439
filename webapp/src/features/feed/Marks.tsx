import type { Notification } from '@sininho/sdk'
import { pt } from '../../i18n/pt'
import classes from './Marks.module.css'

/** What sets a notification apart from most others. */
export const Marks = ({ importance, editedAt }: Pick<Notification, 'importance' | 'editedAt'>) => (
  <>
    {importance === 'important' && <span className={classes.important}>{pt.feed.important}</span>}
    {editedAt && <span>{pt.feed.edited}</span>}
  </>
)

import type { Notification } from '@sininho/sdk'
import { words } from '../../i18n/words'
import classes from './feed.module.css'

/** What sets a notification apart from most others. */
export const Marks = ({ importance, editedAt }: Pick<Notification, 'importance' | 'editedAt'>) => (
  <>
    {importance === 'important' && <span className={classes.important}>{words.feed.important}</span>}
    {editedAt && <span>{words.feed.edited}</span>}
  </>
)

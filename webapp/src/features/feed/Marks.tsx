import type { Notification } from '@sininho/sdk'
import { words } from '../../i18n/words'
import { ifLoaded } from '../../ui/onDemand'
import classes from './feed.module.css'

const Until = ifLoaded(() => import('./Until'))
const BackAt = ifLoaded(() => import('./BackAt'))

/** What sets a notification apart from most others. */
export const Marks = ({
  importance,
  editedAt,
  expiresAt,
  snoozedUntil,
}: Pick<Notification, 'importance' | 'editedAt' | 'expiresAt' | 'snoozedUntil'>) => (
  <>
    {snoozedUntil && <BackAt at={snoozedUntil} />}
    {importance === 'important' && <span className={classes.important}>{words.feed.important}</span>}
    {expiresAt && <Until at={expiresAt} />}
    {editedAt && <span>{words.feed.edited}</span>}
  </>
)

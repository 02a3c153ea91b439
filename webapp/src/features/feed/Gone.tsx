import { words } from '../../i18n/words'
import classes from './Gone.module.css'

/** Instead of a notification that was withdrawn, has expired or is of a channel that the reader no longer follows. */
export const Gone = () => (
  <p role="status" className={classes.gone}>
    {words.feed.gone}
  </p>
)

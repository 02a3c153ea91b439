import { IconLock } from '@tabler/icons-react'
import { words } from '../i18n/words'
import classes from './ui.module.css'

/** Marks a channel that only its members see. */
export const PrivateMark = () => (
  <span className={classes.private}>
    <IconLock size={14} aria-hidden />
    {words.channels.private}
  </span>
)

import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { useBack } from '../../ui/useBack'
import classes from './channels.module.css'

/** Leads back to the list of channels, on phones. */
export const BackToList = () => (
  <Link to="/channels" className={classes.back} aria-label={discovery.back} onClick={useBack(isFromList)}>
    <IconChevronLeft size={20} aria-hidden />
    {words.channels.title}
  </Link>
)

/** Reports whether the list of channels is one step back. Browsers without the Navigation API do not tell. */
function isFromList(): boolean {
  if (!('navigation' in window)) return false
  const { currentEntry } = navigation
  const before = navigation.entries()[(currentEntry?.index ?? 0) - 1]?.url
  return before !== undefined && before !== null && new URL(before).pathname === '/channels'
}

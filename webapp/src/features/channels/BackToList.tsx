import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import classes from './channels.module.css'

/** Leads back to the list of channels, on phones: to where the reader left it, if they come from there. */
export function BackToList() {
  const { history } = useRouter()
  const back = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || !isFromList()) return
    event.preventDefault()
    history.back()
  }
  return (
    <Link to="/channels" className={classes.back} aria-label={discovery.back} onClick={back}>
      <IconChevronLeft size={20} aria-hidden />
      {words.channels.title}
    </Link>
  )
}

/** Reports whether the list of channels is one step back. Browsers without the Navigation API do not tell. */
function isFromList(): boolean {
  if (!('navigation' in window)) return false
  const { currentEntry } = navigation
  const before = navigation.entries()[(currentEntry?.index ?? 0) - 1]?.url
  return before !== undefined && before !== null && new URL(before).pathname === '/channels'
}

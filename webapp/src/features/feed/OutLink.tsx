import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { linkTarget, safeLink } from '../../lib/paths'
import classes from './OutLink.module.css'

/** The publisher's link, labelled with its host so that the target is visible. A refused one leads to the feed. */
export function OutLink({ id, link, onOpen }: { id: string; link?: string; onOpen?: () => void }) {
  const url = safeLink(link)
  if (!url) return null
  if (linkTarget(url, location.origin) === 'refused') {
    return (
      <Link to="/feed" search={{ notification: id }} className={classes.link} onClick={onOpen}>
        {words.feed.open}
      </Link>
    )
  }
  return (
    <a className={classes.link} href={url.href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      <IconExternalLink size={18} aria-hidden />
      {words.feed.open} {url.host.replace(/^www\./, '')}
    </a>
  )
}

import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { isWeb, linkTarget, safeLink, whereTo } from '../../lib/paths'
import ui from '../../ui/ui.module.css'

/** The publisher's link, labelled with where it leads. A refused one leads to the feed. */
export function OutLink({ id, link, onOpen }: { id: string; link?: string; onOpen?: () => void }) {
  const url = safeLink(link)
  if (!url) return null
  if (linkTarget(url, location.origin) === 'refused') {
    return (
      <Link to="/feed" search={{ notification: id }} className={ui.link} onClick={onOpen}>
        {words.feed.open}
      </Link>
    )
  }
  return (
    <a
      className={ui.link}
      href={url.href}
      target={isWeb(url) ? '_blank' : undefined}
      rel="noopener noreferrer"
      onClick={onOpen}
    >
      <IconExternalLink size={18} aria-hidden />
      {words.feed.open} {whereTo(url)}
    </a>
  )
}

import { VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { isWeb, linkTarget, safeLink, whereTo } from '../../lib/paths'
import ui from '../../ui/ui.module.css'
import classes from './feed.module.css'

type Props = {
  id: string
  link?: string
  /** It is in a line of other things, and says only where it leads. */
  inLine?: boolean
  onOpen?: () => void
}

/** The publisher's link, labelled with where it leads. A refused one leads to the feed. */
export function OutLink({ id, link, inLine = false, onOpen }: Props) {
  const url = safeLink(link)
  if (!url) return null
  const className = inLine ? classes.out : ui.link
  if (linkTarget(url, location.origin) === 'refused') {
    return (
      <Link to="/feed" search={{ notification: id }} className={className} onClick={onOpen}>
        {words.feed.open}
      </Link>
    )
  }
  const Word = inLine ? VisuallyHidden : 'span'
  return (
    <a
      className={className}
      href={url.href}
      target={isWeb(url) ? '_blank' : undefined}
      rel="noopener noreferrer"
      onClick={onOpen}
    >
      <IconExternalLink size={18} aria-hidden />
      <Word>{words.feed.open}</Word> <span>{whereTo(url)}</span>
    </a>
  )
}

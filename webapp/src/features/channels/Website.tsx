import { IconWorld } from '@tabler/icons-react'
import { discovery } from '../../i18n/discovery'
import { websiteOf } from '../../lib/paths'
import { VisuallyHidden } from '../../ui/VisuallyHidden'
import classes from './Website.module.css'

/** Links to a publisher's own website, by its host so that the target is visible. */
export function Website({ publisher }: { publisher: { website?: string } }) {
  const url = websiteOf(publisher)
  if (!url) return null
  return (
    <a className={classes.website} href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <IconWorld size={20} aria-hidden />
      <span className={classes.host}>{url.host.replace(/^www\./, '')}</span>
      <VisuallyHidden>, {discovery.opensElsewhere}</VisuallyHidden>
    </a>
  )
}

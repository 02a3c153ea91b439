import { Text, VisuallyHidden } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { discovery } from '../../i18n/discovery'
import { websiteOf } from '../../lib/paths'
import ui from '../../ui/ui.module.css'

/** Links to a publisher's own website, by its host so that the target is visible. */
export function Website({ publisher }: { publisher: { website?: string } }) {
  const url = websiteOf(publisher)
  if (!url) return null
  return (
    <a className={ui.link} href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <IconWorld size={20} aria-hidden />
      <Text span truncate fw="inherit">
        {url.host.replace(/^www\./, '')}
      </Text>
      <VisuallyHidden>, {discovery.opensElsewhere}</VisuallyHidden>
    </a>
  )
}

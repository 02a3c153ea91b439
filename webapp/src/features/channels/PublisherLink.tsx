import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { publisherPageOf } from '../../lib/paths'
import ui from '../../ui/ui.module.css'

/** "de Metro da Cidade", which leads to the publisher's page. */
export const PublisherLink = ({ publisher }: Pick<Channel, 'publisher'>) => (
  <Link {...publisherPageOf(publisher.slug)} className={ui.quiet} dir="auto">
    {words.channels.by(publisher.name)}
  </Link>
)

import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { publisherPageOf } from '../../lib/paths'
import classes from './PublisherLink.module.css'

/** "de Metro da Cidade", which leads to the publisher's page. */
export const PublisherLink = ({ publisher }: Pick<Channel, 'publisher'>) => (
  <Link {...publisherPageOf(publisher.slug)} className={classes.publisher} dir="auto">
    {words.channels.by(publisher.name)}
  </Link>
)

import { IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { foundPublishersQuery } from '../../data/publishers'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { publisherPageOf } from '../../lib/paths'
import { avatarOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Marked } from '../../ui/Marked'
import classes from './FoundPublishers.module.css'

/** The publishers that a search finds, in rows above the channels. Renders nothing when there are none. */
export function FoundPublishers({ q }: { q: string }) {
  const { data = [] } = useQuery({ ...foundPublishersQuery(q), placeholderData: keepPreviousData })
  if (data.length === 0) return null
  return (
    <nav aria-labelledby="publishers" className={classes.found}>
      <p id="publishers" className={classes.label}>
        {discovery.publishers}
      </p>
      <div className={classes.list}>
        {data.map((publisher) => (
          <Link key={publisher.id} {...publisherPageOf(publisher.slug)} className={classes.publisher}>
            <ChannelIcon icon={avatarOf(publisher)} name={publisher.name} size={48} />
            <span className={classes.text}>
              <span className={classes.name} dir="auto">
                <Marked q={q}>{publisher.name}</Marked>
              </span>
              <span className={classes.meta}>{words.channels.found(publisher.channelCount)}</span>
            </span>
            <IconChevronRight size={18} className={classes.chevron} aria-hidden />
          </Link>
        ))}
      </div>
    </nav>
  )
}

import type { Notification, Publisher } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { publisherLatestQuery } from '../../data/publisher-latest'
import { discovery } from '../../i18n/discovery'
import { subscribeClock } from '../../lib/clock'
import { agoLabel, fullLabel } from '../../lib/dates'
import { pageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import classes from './PublisherLatest.module.css'

/** A publisher's latest notifications, whichever its channel. Renders nothing until they are here. */
export function PublisherLatest({ publisher: { slug, name } }: { publisher: Publisher }) {
  const { data = [] } = useQuery(publisherLatestQuery(slug))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="latest" className={classes.section}>
      <h2 id="latest" className={classes.title} dir="auto">
        {discovery.publisher.latest(name)}
      </h2>
      <ul className={classes.list}>
        {data.map((notification) => (
          <Row key={notification.id} {...notification} />
        ))}
      </ul>
    </section>
  )
}

function Row({ id, channel, title, body, icon, iconProxy, publishedAt = '' }: Notification) {
  const date = new Date(publishedAt)
  const ago = useSyncExternalStore(subscribeClock, () => agoLabel(date))
  return (
    <li className={classes.item}>
      <Link {...pageOf(channel, id)} className={classes.row}>
        <ChannelIcon icon={iconOf({ icon, iconProxy }) ?? iconOf(channel)} name={channel.name} size={40} />
        <span className={classes.words}>
          <span className={classes.meta}>
            <span className={classes.channel} dir="auto">
              {channel.name}
            </span>
            <time dateTime={publishedAt} title={fullLabel(date)}>
              {ago}
            </time>
          </span>
          <span className={classes.name} dir="auto">
            {title}
          </span>
          {body && (
            <span className={classes.body} dir="auto">
              {body}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

import type { Publisher } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { publisherLatestQuery } from '../../data/publisher-latest'
import { discovery } from '../../i18n/discovery'
import { NotificationRow } from '../../ui/NotificationRow'
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
          <li key={notification.id} className={classes.item}>
            <NotificationRow notification={notification} withBody />
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { Notification } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { latestQuery } from '../../data/notifications'
import { notification as words } from '../../i18n/notification'
import { words as common } from '../../i18n/words'
import { pageOf } from '../../lib/paths'
import { DatedMoment } from '../../ui/DatedMoment'
import classes from './MoreNotifications.module.css'

const shown = 3

/** The latest other notifications of a notification's channel. Renders nothing until there are some. */
export function MoreNotifications({ of: { id, channel } }: { of: Notification }) {
  const heading = useId()
  const { data = [] } = useQuery(latestQuery(channel))
  const others = data.filter((each) => each.id !== id).slice(0, shown)
  if (others.length === 0) return null
  return (
    <section aria-labelledby={heading} className={classes.more}>
      <div className={classes.head}>
        <h2 id={heading} className={classes.heading} dir="auto">
          {words.more(channel.name)}
        </h2>
        <Link {...pageOf(channel)} className={classes.all}>
          {common.channels.see}
        </Link>
      </div>
      <ul className={classes.rows}>
        {others.map((other) => (
          <li key={other.id}>
            <Link {...pageOf(channel, other.id)} className={classes.row}>
              <span className={classes.title} dir="auto">
                {other.title}
              </span>
              {other.publishedAt && <DatedMoment at={other.publishedAt} />}
              {other.body && (
                <span className={classes.body} dir="auto">
                  {other.body}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { pageOf } from '../lib/paths'
import { iconOf } from '../lib/pictures'
import { ChannelIcon } from './ChannelIcon'
import { DatedMoment } from './DatedMoment'
import classes from './NotificationRow.module.css'
import { Skeleton } from './Skeleton'

type Props = {
  notification: Notification
  /** Shows the first line of the text too. */
  withBody?: boolean
}

/** A notification in a list of several channels' latest, which leads to its page. */
export function NotificationRow({ notification, withBody = false }: Props) {
  const { id, channel, title, body, publishedAt } = notification
  return (
    <Link {...pageOf(channel, id)} className={classes.row}>
      <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} size={44} />
      <span className={classes.words}>
        <span className={classes.meta}>
          <span className={classes.channel} dir="auto">
            {channel.name}
          </span>
          {publishedAt && <DatedMoment at={publishedAt} />}
        </span>
        <span className={classes.name} dir="auto">
          {title}
        </span>
        {withBody && body && (
          <span className={classes.body} dir="auto">
            {body}
          </span>
        )}
      </span>
    </Link>
  )
}

/** Stands in the place of a row that is not loaded yet. */
export const NotificationRowSkeleton = () => (
  <div className={classes.row}>
    <Skeleton width={44} height={44} radius={11} />
    <div className={`${classes.words} ${classes.waiting}`}>
      <Skeleton height={12} width="30%" />
      <Skeleton height={14} width="64%" />
    </div>
  </div>
)

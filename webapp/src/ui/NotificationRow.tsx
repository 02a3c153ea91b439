import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../lib/clock'
import { agoLabel, fullLabel } from '../lib/dates'
import { pageOf } from '../lib/paths'
import { iconOf } from '../lib/pictures'
import { ChannelIcon } from './ChannelIcon'
import classes from './NotificationRow.module.css'
import { Skeleton } from './Skeleton'

type Props = {
  notification: Notification
  /** Shows the first line of the text too. */
  withBody?: boolean
}

/** A notification in a list of several channels' latest, which leads to its page. */
export function NotificationRow({ notification, withBody = false }: Props) {
  const { id, channel, title, body, publishedAt = '' } = notification
  const date = new Date(publishedAt)
  const ago = useSyncExternalStore(subscribeClock, () => agoLabel(date))
  return (
    <Link {...pageOf(channel, id)} className={classes.row}>
      <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} size={44} />
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

import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pageOf } from '../../lib/paths'
import { iconOf, imageOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { DatedMoment } from '../../ui/DatedMoment'
import { LinkedText } from '../../ui/LinkedText'
import { Meta } from '../../ui/Meta'
import { PictureButton } from '../../ui/PictureButton'
import { Marks } from './Marks'
import classes from './NotificationView.module.css'
import { OutLink } from './OutLink'

type Props = {
  notification: Notification
  title: ReactNode
  /** The channel's publisher, beside the time. */
  by?: ReactNode
  /** Follows the channel. */
  follow?: ReactNode
  actions?: ReactNode
}

/** A whole notification. `title` is its heading, whose level depends on the screen. */
export function NotificationView({ notification, title, by, follow, actions }: Props) {
  const { id, channel, body, importance, publishedAt, editedAt, link } = notification
  const image = imageOf(notification)
  return (
    <div className={classes.view}>
      <header className={classes.header}>
        <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} size={44} />
        <div className={classes.from}>
          <span className={classes.channel} dir="auto">
            <Link {...pageOf(channel)}>{channel.name}</Link>
          </span>
          <span className={classes.meta}>
            <Meta>
              {publishedAt && <DatedMoment at={publishedAt} />}
              {by}
            </Meta>
            <Marks importance={importance} editedAt={editedAt} />
          </span>
        </div>
        {follow}
      </header>
      <div className={classes.title} dir="auto">
        {title}
      </div>
      {body && (
        <p className={classes.body} dir="auto">
          <LinkedText>{body}</LinkedText>
        </p>
      )}
      {image && <PictureButton src={image} of={notification.title} className={classes.image} />}
      <OutLink id={id} link={link} />
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}

import type { Channel } from '@sininho/sdk'
import { IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { words } from '../../i18n/words'
import { pageOf, publisherPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { ChannelBell } from './ChannelBell'
import classes from './ChannelCard.module.css'
import { FollowButton } from './FollowButton'

type Props = {
  channel: Channel
  /** Shows the category instead of the publisher, because the whole list is of that publisher. */
  ofPublisher?: boolean
  /** Rendered below the description. */
  more?: ReactNode
}

/** A channel in a list, as one row that leads to its page. */
export function ChannelCard({ channel, ofPublisher = false, more }: Props) {
  const { name, publisher, category, description, subscriberCount } = channel
  return (
    <li className={classes.card} data-tall={Boolean(more)}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={48} />
      <div className={classes.text}>
        <h2 className={classes.name} dir="auto">
          <Link {...pageOf(channel)} className={classes.link}>
            {name}
          </Link>
        </h2>
        <p className={classes.meta}>
          <span className={classes.by} dir="auto">
            {ofPublisher ? (
              category.name
            ) : (
              <Link {...publisherPageOf(publisher.slug)} className={classes.publisher}>
                {publisher.name}
              </Link>
            )}
          </span>
          {subscriberCount > 0 && (
            <span className={classes.count} aria-hidden>
              <IconUsers size={15} /> {words.number(subscriberCount)}
            </span>
          )}
          <span className={classes.followers} data-counted={subscriberCount > 0 || undefined}>
            {words.channels.followers(subscriberCount)}
          </span>
        </p>
        {description && (
          <p className={classes.description} dir="auto">
            {description}
          </p>
        )}
        {more}
      </div>
      <div className={classes.action}>
        {channel.following && (
          <span className={classes.bell}>
            <ChannelBell channel={channel} />
          </span>
        )}
        <FollowButton channel={channel} compact />
      </div>
    </li>
  )
}

import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { words } from '../../i18n/words'
import { pageOf, publisherPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Marked } from '../../ui/Marked'
import { ChannelBell } from './ChannelBell'
import classes from './ChannelCard.module.css'
import { FollowButton } from './FollowButton'

type Props = {
  channel: Channel
  /** Shows the category instead of the publisher, because the whole list is of that publisher. */
  ofPublisher?: boolean
  /** What was searched for, to be marked. */
  q?: string
  /** Rendered below the description. */
  more?: ReactNode
}

/** A channel in a list, as one row that leads to its page. */
export function ChannelCard({ channel, ofPublisher = false, q, more }: Props) {
  const { name, publisher, category, description, subscriberCount } = channel
  const Name = ofPublisher ? 'h3' : 'h2'
  return (
    <li className={classes.card} data-tall={Boolean(more)}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={48} />
      <div className={classes.text}>
        <Name className={classes.name} dir="auto">
          <Link {...pageOf(channel)} className={classes.link}>
            <Marked q={q}>{name}</Marked>
          </Link>
        </Name>
        <p className={classes.meta}>
          <span className={classes.by} dir="auto">
            {ofPublisher ? (
              words.channels.category(category.name)
            ) : (
              <Link {...publisherPageOf(publisher.slug)} className={classes.publisher}>
                <Marked q={q}>{publisher.name}</Marked>
              </Link>
            )}
          </span>
          <span className={classes.followers}>{words.channels.followers(subscriberCount)}</span>
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

import type { Channel } from '@sininho/sdk'
import { IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { number, words } from '../../i18n/words'
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
}

/** A channel in a list, as one row that leads to its page. */
export function ChannelCard({ channel, ofPublisher = false, q }: Props) {
  const { name, publisher, category, description, subscriberCount } = channel
  const Name = ofPublisher ? 'h3' : 'h2'
  return (
    <li className={classes.card}>
      <span className={classes.icon}>
        <ChannelIcon icon={iconOf(channel)} name={name} size={48} />
      </span>
      <div className={classes.head}>
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
          <span className={classes.followers}>
            <span className={subscriberCount > 0 ? classes.inWords : undefined}>
              {words.channels.followers(subscriberCount)}
            </span>
            {subscriberCount > 0 && (
              <span className={classes.inShort} aria-hidden>
                <IconUsers size={14} />
                {number(subscriberCount)}
              </span>
            )}
          </span>
        </p>
      </div>
      {description && (
        <p className={classes.description} dir="auto">
          {description}
        </p>
      )}
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

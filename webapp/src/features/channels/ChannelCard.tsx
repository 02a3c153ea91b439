import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pt } from '../../i18n/pt'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { ChannelBell } from './ChannelBell'
import classes from './ChannelCard.module.css'
import { FollowButton } from './FollowButton'

/** `more` is rendered below the description. */
export function ChannelCard({ channel, more }: { channel: Channel; more?: ReactNode }) {
  const { publisherSlug, slug, name, publisher, description, subscriberCount } = channel
  return (
    <li className={classes.card}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={56} />
      <div className={classes.text}>
        <h2 className={classes.name}>
          <Link
            to="/channels/$publisherSlug/$channelSlug"
            params={{ publisherSlug, channelSlug: slug }}
            className={classes.link}
          >
            {name}
          </Link>
        </h2>
        <p className={classes.meta}>
          {publisher.name} · {pt.channels.followers(subscriberCount)}
        </p>
        {description && <p className={classes.description}>{description}</p>}
        {more}
      </div>
      <div className={classes.action}>
        {channel.following && <ChannelBell channel={channel} />}
        <FollowButton channel={channel} />
      </div>
    </li>
  )
}

import type { Channel, Publisher } from '@sininho/sdk'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { channelsOfQuery } from '../../data/publishers'
import { memberships } from '../../i18n/memberships'
import { words } from '../../i18n/words'
import { pageOf, publisherPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { BlockSkeleton } from '../../ui/skeletons'
import classes from './Memberships.module.css'
import { StorageUse } from './StorageUse'

/** A publisher with its channels. The reason of a suspension of the publisher stands once, not at each channel. */
export function Membership({ publisher: { name, slug, role, suspension } }: { publisher: Publisher }) {
  const query = useQuery(channelsOfQuery(slug))
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.publisher}>
      <div>
        <h3 id={id} className={classes.title} dir="auto">
          {suspension ? (
            name
          ) : (
            <Link {...publisherPageOf(slug)} className={classes.page}>
              {name}
            </Link>
          )}
        </h3>
        <p className={classes.meta}>{role && memberships.roles[role]}</p>
        <StorageUse publisher={slug} />
        {suspension && <Suspended reason={suspension.reason} />}
      </div>
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={64} />}>
        {(channels) =>
          channels.length === 0 ? (
            <p className={classes.meta}>
              {memberships.noChannels} <a href="/docs/publish">{memberships.how}</a>
            </p>
          ) : (
            <ul>
              {channels.map((channel) => (
                <li key={channel.id}>
                  <ChannelRow channel={channel} reason={suspension ? undefined : channel.suspension?.reason} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function ChannelRow({ channel, reason }: { channel: Channel; reason?: string }) {
  const { name, subscriberCount, notificationCount } = channel
  return (
    <Link {...pageOf(channel)} className={classes.row}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={40} />
      <span className={classes.words}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <Meta>
          {words.channels.followers(subscriberCount)}
          {words.channels.notifications(notificationCount)}
        </Meta>
        {reason !== undefined && <Suspended reason={reason} />}
      </span>
    </Link>
  )
}

const Suspended = ({ reason }: { reason: string }) => (
  <span className={classes.suspended}>
    <IconAlertTriangle aria-hidden />
    <span dir="auto">{memberships.suspended(reason)}</span>
  </span>
)

import type { Channel } from '@sininho/sdk'
import { Suspense, lazy } from 'react'
import { useMember } from '../../data/publishers'
import { useSignedIn } from '../../data/useSignedIn'
import { pt } from '../../i18n/pt'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { PageTitle } from '../../ui/PageTitle'
import { ChannelBell } from './ChannelBell'
import classes from './ChannelHeader.module.css'
import { FollowButton } from './FollowButton'
import { ReportChannel } from './ReportChannel'

const ChannelKeeping = lazy(() => import('./ChannelKeeping'))

export function ChannelHeader({ channel }: { channel: Channel }) {
  const { name, publisher, category, description, subscriberCount, notificationCount, suspension } = channel
  const signedIn = useSignedIn()
  const member = useMember(channel.publisherSlug)
  return (
    <header className={classes.header}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={80} />
      <div className={classes.text}>
        <PageTitle>{name}</PageTitle>
        {suspension && (
          <p role="alert" className={classes.suspended}>
            {pt.channels.suspended.reason(suspension.reason)}
          </p>
        )}
        <p className={classes.meta}>
          {pt.channels.by(publisher.name)} · {category.name}
        </p>
        {description && <p className={classes.description}>{description}</p>}
        <p className={classes.meta}>
          {pt.channels.followers(subscriberCount)} · {pt.channels.notifications(notificationCount)}
        </p>
        {signedIn && !suspension && <ReportChannel channel={channel} />}
      </div>
      <div className={classes.actions}>
        {!channel.demonstration && !suspension && <FollowButton channel={channel} size="md" />}
        {channel.following && <ChannelBell channel={channel} labelled />}
      </div>
      {member && !suspension && (
        <Suspense>
          <ChannelKeeping channel={channel} />
        </Suspense>
      )}
    </header>
  )
}

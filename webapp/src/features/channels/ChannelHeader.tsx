import { Alert, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMember } from '../../data/publishers'
import { useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { formatChannel } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { PrivateMark } from '../../ui/PrivateMark'
import { onDemand } from '../../ui/onDemand'
import { useWide } from '../../ui/useWide'
import { ChannelBell } from './ChannelBell'
import { Description } from './Description'
import { FollowButton } from './FollowButton'
import { Followers, FollowersPlot, hasHistory } from './Followers'
import { Masthead } from './Masthead'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'
import { PublisherLink } from './PublisherLink'
import { ReportChannel } from './ReportChannel'
import { Website } from './Website'

const ChannelKeeping = onDemand(() => import('./ChannelKeeping'))

export function ChannelHeader({ channel }: { channel: Channel }) {
  const { name, publisher, category, description, suspension } = channel
  const own = channel.visibility === 'private'
  const wide = useWide()
  const signedIn = useSignedIn()
  const member = useMember(channel.publisherSlug)
  const foldable = !wide && hasHistory(channel)
  const [unfolded, setUnfolded] = useState<Channel['id']>()
  const open = foldable && unfolded === channel.id
  return (
    <>
      <Masthead
        picture={iconOf(channel, 'portrait')}
        name={name}
        path={`/channels/${formatChannel(channel)}`}
        private={own}
        report={signedIn && !suspension && <ReportChannel channel={channel} />}
        actions={
          !channel.demonstration &&
          !suspension && (
            <>
              <FollowButton channel={channel} />
              {channel.following && <ChannelBell channel={channel} labelled />}
            </>
          )
        }
      >
        {suspension && (
          <Alert color="danger" c="var(--mantine-color-text)">
            {words.channels.suspended.reason(suspension.reason)}
          </Alert>
        )}
        <Text c="dimmed" fz={15} className={classes.category}>
          <PublisherLink publisher={publisher} />
          {' · '}
          <Link to="/channels" className={ui.quiet} search={{ category: category.slug }}>
            {words.channels.category(category.name)}
          </Link>
          {own && (
            <>
              {' · '}
              <PrivateMark />
            </>
          )}
        </Text>
        <Description>{description}</Description>
        <Website publisher={publisher} />
        <Followers
          channel={channel}
          foldable={foldable}
          open={open}
          onToggle={() => setUnfolded(open ? undefined : channel.id)}
        />
      </Masthead>
      {open && <FollowersPlot channel={channel} />}
      {member && !suspension && <ChannelKeeping channel={channel} />}
    </>
  )
}

import { Alert, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMember } from '../../data/publishers'
import { useAccount, useMayFollow } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { formatChannel, studioPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { LinkButton } from '../../ui/LinkButton'
import { PrivateMark } from '../../ui/PrivateMark'
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

type Props = {
  channel: Channel
  /** A button that has this device pushed to. Visitors who need no account have it instead of following. */
  receive: ReactNode
}

export function ChannelHeader({ channel, receive }: Props) {
  const { name, publisher, category, description, suspension } = channel
  const own = channel.visibility === 'private'
  const wide = useWide()
  const account = useAccount()
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
        report={account && !suspension && <ReportChannel channel={channel} />}
        actions={
          <>
            {member && !suspension && <Publish channel={channel} />}
            {!channel.demonstration && !suspension && <Actions channel={channel} receive={receive} />}
          </>
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
    </>
  )
}

/** What its publisher's members do with a channel. */
const Publish = ({ channel }: { channel: Channel }) => (
  <>
    <LinkButton {...studioPageOf(channel, 'write')} leftSection={<IconPencil size={20} aria-hidden />}>
      {words.channels.write}
    </LinkButton>
    <LinkButton {...studioPageOf(channel)} variant="default">
      {words.channels.manage}
    </LinkButton>
  </>
)

/** Following, the bell, and having this device pushed to. A private channel is joined by an invitation alone. */
function Actions({ channel, receive }: Props) {
  const { following, visibility } = channel
  const mayFollow = useMayFollow()
  if (visibility === 'private' && !following) return null
  return (
    <>
      {!mayFollow && <FollowButton channel={channel} />}
      {following && <ChannelBell channel={channel} labelled />}
      {receive}
    </>
  )
}

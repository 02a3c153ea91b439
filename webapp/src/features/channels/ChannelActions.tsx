import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { pt } from '../../i18n/pt'
import type { ChannelAddress } from '../../lib/paths'
import { ChannelBell } from './ChannelBell'
import { useUnfollowed } from './useUnfollowed'

const FollowButton = lazy(async () => ({ default: (await import('./FollowButton')).FollowButton }))

/** The bell of a channel that is followed; of one that is not, the ways to its page and to follow it. */
export function ChannelActions({ channel }: { channel: ChannelAddress }) {
  const unfollowed = useUnfollowed(channel)
  if (!unfollowed) return <ChannelBell channel={channel} labelled />
  const { publisherSlug, slug: channelSlug } = unfollowed
  return (
    <>
      <Button
        variant="default"
        size="md"
        mih={44}
        radius="xl"
        renderRoot={(props) => (
          <Link {...props} to="/channels/$publisherSlug/$channelSlug" params={{ publisherSlug, channelSlug }} />
        )}
      >
        {pt.channels.see}
      </Button>
      <Suspense>
        <FollowButton channel={unfollowed} size="md" />
      </Suspense>
    </>
  )
}

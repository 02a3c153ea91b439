import { Button } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { words } from '../../i18n/words'
import { pageOf } from '../../lib/paths'
import { FollowButton } from './FollowButton'

/** Links to the channel's page, and follows it. */
export default function UnfollowedActions({ channel }: { channel: Channel }) {
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link {...props} {...pageOf(channel)} />}>
        {words.channels.see}
      </Button>
      <FollowButton channel={channel} size="md" />
    </>
  )
}

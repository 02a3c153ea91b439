import type { Channel } from '@sininho/sdk'
import { words } from '../../i18n/words'
import { pageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { FollowButton } from './FollowButton'

/** Links to the channel's page, and follows it. */
export default function UnfollowedActions({ channel }: { channel: Channel }) {
  return (
    <>
      <LinkButton variant="default" {...pageOf(channel)}>
        {words.channels.see}
      </LinkButton>
      <FollowButton channel={channel} size="md" />
    </>
  )
}

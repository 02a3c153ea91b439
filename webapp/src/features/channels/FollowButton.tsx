import { IconCheck, IconPlus } from '@tabler/icons-react'
import type { Channel } from '@sininho/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { keepFollowIntent } from '../../lib/follow-intent'
import { formatChannel } from '../../lib/paths'
import { Button } from '../../ui/Button'
import { followMutation, unfollowMutation } from './mutations'

/** Ignores the second click of a double click, which would undo the first. */
const once = ({ detail }: MouseEvent) => detail < 2

type Props = {
  channel: Pick<Channel, 'id' | 'name' | 'following' | 'publisherSlug' | 'slug'>
  size?: 'sm' | 'md'
  /** As narrow as it can be: a word to follow, and then a mark. */
  compact?: boolean
}

/** Follows or unfollows a channel with one click. A visitor signs in first, and then follows it, on its page. */
export function FollowButton({ channel, size = 'sm', compact = false }: Props) {
  const { id, name, following } = channel
  const client = useQueryClient()
  const signedIn = useSignedIn()
  const follow = useMutation(followMutation(client))
  const unfollow = useMutation(unfollowMutation(client))
  const look = { size, ...(compact && { style: { width: '4.5rem', paddingInline: 0 } }) }
  const variant = compact ? 'light' : undefined
  const plus = compact ? undefined : <IconPlus size={18} />
  // a person who follows the channel is signed in, even while the session is still loading
  if (!signedIn && !following) {
    return (
      <Button
        {...look}
        variant={variant}
        renderRoot={(props) => (
          <Link {...props} to="/login" search={{ redirect: `/channels/${formatChannel(channel)}` }} />
        )}
        onClick={() => keepFollowIntent(channel)}
        aria-label={words.channels.followName(name)}
        leftSection={plus}
      >
        {words.channels.follow}
      </Button>
    )
  }
  return following ? (
    <Button
      {...look}
      variant="default"
      aria-label={words.channels.unfollowName(name)}
      title={compact ? words.channels.unfollow : undefined}
      leftSection={compact ? undefined : <IconCheck size={18} />}
      onClick={(event) => once(event) && unfollow.mutate(id)}
    >
      {compact ? <IconCheck size={20} /> : words.channels.unfollow}
    </Button>
  ) : (
    <Button
      {...look}
      variant={variant}
      aria-label={words.channels.followName(name)}
      leftSection={plus}
      onClick={(event) => once(event) && follow.mutate(id)}
    >
      {words.channels.follow}
    </Button>
  )
}

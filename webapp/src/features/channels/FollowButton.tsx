import { Box, Button, Flex } from '@mantine/core'
import { IconCheck, IconPlus } from '@tabler/icons-react'
import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { followMutation, unfollowMutation } from '../../data/following'
import { useSignedIn } from '../../data/useSignedIn'
import { words } from '../../i18n/words'
import { keepFollowIntent } from '../../lib/follow-intent'
import { formatChannel } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { onDemand } from '../../ui/onDemand'
import classes from './channels.module.css'

const LeaveQuestion = onDemand(() => import('./LeaveQuestion'))

/** Ignores the second click of a double click, which would undo the first. */
const once = ({ detail }: MouseEvent) => detail < 2

type Props = {
  channel: Pick<Channel, 'id' | 'name' | 'following' | 'publisherSlug' | 'slug' | 'visibility'>
  size?: 'sm' | 'md'
  /** Lower, as one of many in a list. */
  compact?: boolean
}

/**
 * Follows or unfollows a channel with one click. A visitor signs in first, and then follows it, on its page. A private
 * channel is followed by an invitation alone, so that leaving it is asked about.
 */
export function FollowButton({ channel, size = 'sm', compact = false }: Props) {
  const { id, name, following } = channel
  const own = channel.visibility === 'private'
  const signedIn = useSignedIn()
  const follow = useMutation(followMutation())
  const unfollow = useMutation(unfollowMutation())
  const [leaving, setLeaving] = useState(false)
  if (own && !following) return null
  const start = compact ? 'default' : 'filled'
  const look = {
    size: compact ? 'compact' : size,
    variant: following ? 'light' : start,
    className: compact ? classes.compact : undefined,
    'aria-label': following ? words.channels.unfollowName(name) : words.channels.followName(name),
    children: <Labels following={following} compact={compact} />,
  } as const
  // a person who follows the channel is signed in, even while the session is still loading
  if (!signedIn && !following) {
    return (
      <LinkButton
        {...look}
        to="/login"
        search={{ redirect: `/channels/${formatChannel(channel)}` }}
        onClick={() => keepFollowIntent(channel)}
      />
    )
  }
  const toggle = () => (following ? unfollow : follow).mutate(id)
  return (
    <>
      <Button
        {...look}
        title={following ? words.channels.unfollow : undefined}
        onClick={(event) => once(event) && (own ? setLeaving(true) : toggle())}
      />
      {leaving && <LeaveQuestion channel={channel} onClose={() => setLeaving(false)} />}
    </>
  )
}

/** What a click does, or what it has done. */
const Labels = ({ following, compact }: { following: boolean | undefined; compact: boolean }) => (
  <Box component="span" display="grid" className={classes.labels}>
    <Flex component="span" gap={compact ? 4 : 6} align="center" justify="center" data-other={following || undefined}>
      {!compact && <IconPlus size={18} />}
      {words.channels.follow}
    </Flex>
    <Flex component="span" gap={compact ? 4 : 6} align="center" justify="center" data-other={!following || undefined}>
      <IconCheck size={compact ? 14 : 18} stroke={2.5} />
      {words.channels.following}
    </Flex>
  </Box>
)

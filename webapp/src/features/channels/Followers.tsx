import { Flex, UnstyledButton } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useTransition } from 'react'
import { followersQuery, isWeek } from '../../data/followers'
import { words } from '../../i18n/words'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'

const load = () => import('./FollowerHistory')

/** Whether a channel has a history of followers to show. */
export const hasHistory = ({ demonstration, subscriberCount }: Channel) => !demonstration && subscriberCount > 0

/** The plot of a channel's followers. Takes no room until it can be drawn. */
export const FollowersPlot = onDemand(load)

type Props = { channel: Channel; foldable: boolean; open: boolean; onToggle: () => void }

/** How many follow a channel and what it has published. With `foldable`, a press unfolds the plot of the followers. */
export function Followers({ channel, foldable, open, onToggle }: Props) {
  const { subscriberCount, notificationCount } = channel
  const { data } = useQuery({ ...followersQuery(channel), enabled: foldable })
  // stays folded until the plot's code is here, which is loaded before anyone can ask for it
  const [waiting, startTransition] = useTransition()
  useEffect(() => void (foldable && load().catch(() => undefined)), [foldable])
  const ready = foldable && isWeek(data)
  const followers = words.channels.followers(subscriberCount)
  return (
    <Flex component="p" wrap="wrap" align="center" c="dimmed" fz={15} className={classes.counts}>
      {ready ? (
        <UnstyledButton
          className={`${ui.quiet} ${classes.count} ${classes.toggle}`}
          aria-expanded={open}
          aria-busy={waiting}
          onClick={() => startTransition(onToggle)}
        >
          {followers}
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      ) : (
        <span className={classes.count}>
          {followers}
          {foldable && <IconChevronDown size={16} visibility="hidden" />}
        </span>
      )}
      {notificationCount > 0 && <span>{words.channels.notifications(notificationCount)}</span>}
    </Flex>
  )
}

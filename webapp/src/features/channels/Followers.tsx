import type { Channel } from '@sininho/sdk'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useEffect, useState, useTransition } from 'react'
import { followersQuery } from '../../data/followers'
import { words } from '../../i18n/words'
import classes from './Followers.module.css'

const load = () => import('./FollowerHistory')
const FollowerHistory = lazy(load)

/** Whether a channel has a history of followers to show. */
export const hasHistory = ({ demonstration, subscriberCount }: Channel) => !demonstration && subscriberCount > 0

/** The plot of a channel's followers beside its page. Takes no room until it can be drawn. */
export const FollowersPlot = ({ channel }: { channel: Channel }) => (
  <Suspense>
    <FollowerHistory channel={channel} compact />
  </Suspense>
)

/** How many follow a channel and what it has published. With `foldable`, the plot of the followers unfolds below. */
export function Followers({ channel, foldable }: { channel: Channel; foldable: boolean }) {
  const { subscriberCount, notificationCount } = channel
  const { data } = useQuery({ ...followersQuery(channel), enabled: foldable })
  const [open, setOpen] = useState(false)
  // stays folded until the plot's code is here, which is loaded before anyone can ask for it
  const [waiting, startTransition] = useTransition()
  useEffect(() => void (foldable && load().catch(() => undefined)), [foldable])
  const ready = foldable && Boolean(data?.length)
  const followers = words.channels.followers(subscriberCount)
  return (
    <>
      <p className={classes.counts}>
        {ready ? (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-busy={waiting}
            onClick={() => startTransition(() => setOpen(!open))}
          >
            {followers}
            <IconChevronDown size={16} aria-hidden />
          </button>
        ) : (
          <span className={classes.toggle}>
            {followers}
            {foldable && <IconChevronDown size={16} visibility="hidden" />}
          </span>
        )}
        {notificationCount > 0 && <span>{words.channels.notifications(notificationCount)}</span>}
      </p>
      <Suspense>{ready && open && <FollowerHistory channel={channel} />}</Suspense>
    </>
  )
}

import { VisuallyHidden } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pt } from '../../i18n/pt'
import { formatChannel } from '../../lib/paths'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { BellSelect } from './BellSelect'
import classes from './FollowedChannels.module.css'
import { subscriptionsQuery } from './queries'

/** The link whose channel is in the address is the current one; "Tudo" is when there is none. */
const chosen = { includeSearch: true, explicitUndefined: true }

/** Chooses what the feed shows; beside it on a wide screen, above it on a narrow one. */
export function FollowedChannels() {
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery())
  if (subscriptions.length === 0) return null
  const unread = subscriptions.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  return (
    <nav aria-label={pt.followed.title} className={classes.nav}>
      <h2 className={classes.title}>{pt.followed.title}</h2>
      <ul className={classes.list}>
        <li className={classes.row}>
          <Link to="/feed" search={{ channel: undefined }} activeOptions={chosen} className={classes.link}>
            <span className={classes.name}>{pt.feed.all}</span>
            <Unread count={unread} />
          </Link>
        </li>
        {subscriptions.map((subscription) => (
          <Followed key={subscription.channel.id} subscription={subscription} />
        ))}
      </ul>
    </nav>
  )
}

function Followed({ subscription }: { subscription: Subscription }) {
  const { channel, unreadCount } = subscription
  return (
    <li className={classes.row}>
      <Link to="/feed" search={{ channel: formatChannel(channel) }} activeOptions={chosen} className={classes.link}>
        <ChannelIcon icon={channel.icon} name={channel.name} size={28} />
        <span className={classes.name}>{channel.name}</span>
        <Unread count={unreadCount} />
      </Link>
      <span className={classes.bell}>
        <BellSelect subscription={subscription} />
      </span>
    </li>
  )
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={classes.unread}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{pt.feed.unreadCount(count)}</VisuallyHidden>
    </span>
  )
}

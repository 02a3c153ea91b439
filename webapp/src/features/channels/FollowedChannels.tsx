import { Flex, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { FeedPart } from '../../data/notifications'
import { subscriptionsQuery, unreadTotal } from '../../data/subscriptions'
import { words } from '../../i18n/words'
import { formatChannel } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { PrivateMark } from '../../ui/PrivateMark'
import { SearchField } from '../../ui/SearchField'
import { BellMark } from './BellMark'
import { BellMenu } from './BellMenu'
import { plain } from '../../lib/plain'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'

/** Marks the link of the channel in the URL as current, and "Todos os canais" if the URL has none. */
const chosen = { includeSearch: true, explicitUndefined: true }

/** Shows a channel, or all, in the part of the feed that is shown, without what was searched for. */
const inPart = (channel: string | undefined) => (before: { part?: FeedPart }) => ({ channel, part: before.part })

/** With more channels than this, a search field is shown. */
const many = 12

/** Selects the channel that the feed shows. It is beside the feed on wide screens and above it on narrow ones. */
export default function FollowedChannels() {
  const query = useQuery(subscriptionsQuery())
  return (
    <nav aria-label={words.followed.title}>
      <Title order={2} mb={8} px={12} fz="sm" fw={600} c="dimmed" className={classes.title}>
        {words.followed.title}
      </Title>
      <Loaded query={query} skeleton={<Skeleton height={48} radius={22} />}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Text px={12} c="dimmed" fz={15}>
              {words.followed.empty}
            </Text>
          ) : (
            <Choices subscriptions={subscriptions} />
          )
        }
      </Loaded>
    </nav>
  )
}

function Choices({ subscriptions }: { subscriptions: Subscription[] }) {
  const [wanted, setWanted] = useState('')
  // decided once, so that no row moves under a finger
  const [unreadFirst] = useState(() => new Set(subscriptions.flatMap(unreadId)))
  const ordered = [true, false].flatMap((first) =>
    subscriptions.filter(({ channel }) => unreadFirst.has(channel.id) === first),
  )
  const list = useCurrentInSight()
  const unread = unreadTotal(subscriptions)
  const searchable = subscriptions.length > many
  const found = searchable ? ordered.filter(({ channel }) => plain(channel.name).includes(plain(wanted))) : ordered
  return (
    <div className={classes.choices}>
      {searchable && (
        <div className={classes.find}>
          <SearchField
            label={words.followed.search}
            hint={words.followed.search}
            value={wanted}
            onSearch={(text = '') => setWanted(text)}
            local
          />
        </div>
      )}
      <ul ref={list} className={classes.followed}>
        <Flex component="li" align="center" miw={0}>
          <Link to="/feed" search={inPart(undefined)} activeOptions={chosen} className={`${ui.row} ${classes.channel}`}>
            <Text span truncate flex={1}>
              {words.followed.all}
            </Text>
            <Unread count={unread} />
          </Link>
        </Flex>
        {found.map((subscription) => (
          <Followed key={subscription.channel.id} subscription={subscription} />
        ))}
      </ul>
      <Text role="status" c="dimmed" fz={15} className={classes.notFound}>
        {found.length === 0 && words.followed.notFound}
      </Text>
    </div>
  )
}

const unreadId = ({ channel, unreadCount }: Subscription) => (unreadCount > 0 ? [channel.id] : [])

/** Scrolls the current link into view inside the scrolling list. */
function useCurrentInSight() {
  const list = useRef<HTMLUListElement>(null)
  const here = useLocation({ select: ({ href }) => href })
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (!list.current || !current) return
    const at = current.getBoundingClientRect()
    // above the feed the list itself scrolls, beside it the parent of the nav
    for (const box of [list.current, list.current.closest('nav')?.parentElement]) {
      if (!box) continue
      const { left, top } = box.getBoundingClientRect()
      box.scrollLeft += at.left - left - (box.clientWidth - at.width) / 2
      box.scrollTop += at.top - top - (box.clientHeight - at.height) / 2
    }
  }, [here])
  return list
}

function Followed({ subscription }: { subscription: Subscription }) {
  const { channel, unreadCount, suspended } = subscription
  return (
    <Flex component="li" align="center" miw={0}>
      <Link
        to="/feed"
        search={inPart(formatChannel(channel))}
        activeOptions={chosen}
        className={`${ui.row} ${classes.channel}`}
      >
        <ChannelIcon icon={iconOf(channel)} name={channel.name} size={28} />
        <Text span truncate flex={1}>
          {channel.name}
          {suspended && ` · ${words.channels.suspended.mark}`}
        </Text>
        {channel.private && (
          <Text span c="inherit" fz="xs">
            <PrivateMark />
          </Text>
        )}
        <span className={classes.mark}>
          <BellMark subscription={subscription} />
        </span>
        <Unread count={unreadCount} />
      </Link>
      <span className={classes.bell}>
        <BellMenu subscription={subscription} />
      </span>
    </Flex>
  )
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={classes.unread}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{words.feed.unreadCount(count)}</VisuallyHidden>
    </span>
  )
}

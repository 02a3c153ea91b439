import { Button } from '@mantine/core'
import { IconBell, IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useEffect } from 'react'
import { feedQuery } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { useUnfollowed } from '../../data/useUnfollowed'
import { pt } from '../../i18n/pt'
import { focusHeading } from '../../lib/focus'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Feed.module.css'
import { NotificationList } from './NotificationList'
import { openMutation, readAllMutation } from './mutations'

const OpenedNotification = lazy(() => import('./OpenedNotification'))

type Props = {
  channel?: ChannelAddress
  focused?: string
  /** Actions for the shown channel. */
  actions?: ReactNode
}

/** Limit for undoing "mark all as read", because undoing needs one call per notification. */
const undoable = 20

/** The notifications of all followed channels, or of one channel. */
export function Feed({ channel, focused, actions }: Props) {
  const client = useQueryClient()
  const { data: subscriptions } = useQuery(subscriptionsQuery())
  const unfollowed = useUnfollowed(channel)
  const { data: feed } = useInfiniteQuery(feedQuery(channel))
  const { mutate: open } = useMutation(openMutation(client))
  const readAll = useMutation(readAllMutation(client))

  const address = channel && formatChannel(channel)
  const current = subscriptions?.find((each) => formatChannel(each.channel) === address)
  const shown = subscriptions?.filter((each) => !channel || each === current) ?? []
  const unread = shown.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  const loaded = feed?.pages.flatMap(({ data }) => data)
  const name = channel && (current?.channel ?? unfollowed ?? loaded?.[0]?.channel)?.name
  const unreadIds = loaded?.filter(({ readAt }) => !readAt).map(({ id }) => id) ?? []
  const known = unreadIds.length === unread && unread <= undoable ? unreadIds : []
  const target = loaded?.find(({ id }) => id === focused)
  const isUnread = target !== undefined && !target.readAt
  useEffect(() => {
    if (focused && isUnread) open(focused)
  }, [focused, isUnread, open])

  return (
    <>
      <PageTitle
        unread={unread}
        actions={
          <>
            {actions}
            {unread > 0 && (
              <Button
                variant="subtle"
                size="md"
                className={classes.markAll}
                leftSection={<IconChecks size={20} />}
                loading={readAll.isPending}
                onClick={() => {
                  focusHeading() // the button is about to disappear
                  readAll.mutate({ channelId: current?.channel.id, unread: known })
                }}
              >
                <span className={classes.markAllLabel}>{pt.feed.markAll}</span>
              </Button>
            )}
          </>
        }
      >
        {name ?? pt.feed.title}
      </PageTitle>
      <Suspense>{focused && loaded && !target && <OpenedNotification id={focused} />}</Suspense>
      <NotificationList
        channel={channel}
        followed={!channel || current !== undefined}
        focused={focused}
        empty={channel ? undefined : <Empty following={Boolean(subscriptions?.length)} />}
      />
    </>
  )
}

const Empty = ({ following }: { following: boolean }) => (
  <EmptyState
    icon={<IconBell />}
    title={pt.feed.empty.title}
    text={following ? pt.feed.empty.quiet : pt.feed.empty.text}
  >
    <Button component={Link} to="/channels" size="md">
      {pt.feed.empty.action}
    </Button>
  </EmptyState>
)

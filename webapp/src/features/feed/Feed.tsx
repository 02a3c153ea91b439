import { Stack } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, lazy, useCallback, useDeferredValue, useEffect } from 'react'
import { type FeedView, feedQuery, isPublic } from '../../data/notifications'
import { subscriptionsQuery, unreadTotal } from '../../data/subscriptions'
import { useUnfollowed } from '../../data/useUnfollowed'
import { words } from '../../i18n/words'
import { focusHeading } from '../../lib/focus'
import { afterPaint, whenIdle } from '../../lib/idle'
import { formatChannel } from '../../lib/paths'
import { PageTitle } from '../../ui/PageTitle'
import { SearchField } from '../../ui/SearchField'
import { ListSkeleton } from '../../ui/skeletons'
import { useWide } from '../../ui/useWide'
import classes from './feed.module.css'
import { FeedToolbar } from './FeedToolbar'
import { NotificationList } from './NotificationList'
import { openMutation, readAllMutation } from './mutations'
import { useOpening } from './useOpening'

const OpenedNotification = lazy(() => import('./OpenedNotification'))
// without it, as without a connection, the chosen notification unfolds nowhere, but is marked as read
const loadPane = () => import('./ReadingPane')
const ReadingPane = lazy(() => loadPane().catch(() => ({ default: () => <></> })))
const loadEmpty = () => import('./EmptyFeed')
const EmptyFeed = lazy(() => loadEmpty().catch(() => ({ default: () => <></> })))

/** Loads what the feed does without at first, and where it cannot be loaded. */
const later = <Props,>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() =>
    new Promise<void>((resolve) => whenIdle(resolve)).then(load).catch(() => ({ default: () => null })),
  )
const FeedKeys = later(() => import('./FeedKeys'))
const Swipe = later(() => import('./Swipe'))

type Props = {
  view: FeedView
  /** The notification in the address. */
  focused?: string
  /** Actions for the shown channel. */
  actions?: ReactNode
  /** Selects the channel to show. */
  channels: ReactNode
  notice?: ReactNode
}

/** Limit for undoing "mark all as read", because undoing needs one call per notification. */
const undoable = 20

/** The notifications of all followed channels, or of one channel. */
export function Feed({ view, focused, actions, channels, notice }: Props) {
  const { channel, part, q } = view
  /** The list follows when the rest of the screen has answered. */
  const listView = useDeferredValue(view)
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/feed' })
  const wide = useWide()
  const { data: subscriptions } = useQuery(subscriptionsQuery())
  const unfollowed = useUnfollowed(channel)
  const { data: feed } = useInfiniteQuery(feedQuery(view))
  const { mutate: open } = useMutation(openMutation(client))
  const readAll = useMutation(readAllMutation(client))

  const address = channel && formatChannel(channel)
  const current = subscriptions?.find((each) => formatChannel(each.channel) === address)
  const shown = subscriptions?.filter((each) => !channel || each === current) ?? []
  const unread = unreadTotal(shown)
  const loaded = feed?.pages.flatMap(({ data }) => data)
  const name = channel && (current?.channel ?? unfollowed ?? loaded?.[0]?.channel)?.name
  const unreadIds = loaded?.filter(({ readAt }) => !readAt).map(({ id }) => id) ?? []
  const known = unreadIds.length === unread && unread <= undoable ? unreadIds : []
  const target = loaded?.find(({ id }) => id === focused)
  const followed = !channel || current !== undefined
  const reading = wide && focused !== undefined
  useOpening(target, open)
  const show = useCallback(
    (notification: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, notification }), replace: true, resetScroll: false }),
    [navigate],
  )
  useEffect(() => {
    whenIdle(() => void Promise.all([loadEmpty(), wide && loadPane()]).catch(() => undefined))
  }, [wide])
  const select = useCallback((id: string) => (afterPaint(() => show(id)), true), [show])

  return (
    <div className={classes.page} data-reading={reading || undefined}>
      <div className={classes.head}>
        <PageTitle unread={unread} actions={actions}>
          {name ?? words.feed.title}
        </PageTitle>
        {notice}
        <div className={classes.search}>
          <SearchField
            label={words.feed.search}
            hint={words.feed.search}
            value={q}
            onSearch={(words) =>
              void navigate({
                // what is opened beside the list stays, because it may have been opened after the last letter
                search: ({ notification }) => ({
                  channel: address,
                  part,
                  q: words,
                  notification: wide ? notification : undefined,
                }),
                replace: true,
              })
            }
          />
        </div>
      </div>
      <div className={classes.side}>
        {reading && (
          <Suspense fallback={<ListSkeleton label={words.loading} rows={1} />}>
            <ReadingPane key={focused} id={focused} onClose={() => show(undefined)} />
          </Suspense>
        )}
        {channels}
      </div>
      <Stack gap={12} className={classes.main}>
        <FeedToolbar
          channel={address}
          q={q}
          onReadAll={
            unread > 0 && part !== 'archived' && !q
              ? () => {
                  focusHeading() // the button is about to disappear
                  readAll.mutate({ channelId: current?.channel.id, unread: known })
                }
              : undefined
          }
        >
          <Suspense>
            <FeedKeys
              view={view}
              followed={followed}
              reading={reading ? focused : undefined}
              show={wide ? show : undefined}
            />
          </Suspense>
        </FeedToolbar>
        {followed && navigator.maxTouchPoints > 0 && (
          <Suspense>
            <Swipe leaves={!isPublic(view)} />
          </Suspense>
        )}
        {!reading && <Suspense>{focused && loaded && !target && <OpenedNotification id={focused} />}</Suspense>}
        <NotificationList
          key={JSON.stringify(listView)}
          view={listView}
          followed={followed}
          focused={focused}
          empty={
            <Suspense>
              <EmptyFeed view={listView} following={Boolean(subscriptions?.length)} />
            </Suspense>
          }
          select={wide ? select : undefined}
        />
      </Stack>
    </div>
  )
}

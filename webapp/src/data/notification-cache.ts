import type { FeedEvent, Notification, NotificationPage, Subscription } from '@sininho/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../lib/paths'
import { channelKeys } from './channels'
import { closeAllShown, closeShown } from '../lib/push/shown'
import { feedKeys } from './notifications'

type Lists = InfiniteData<NotificationPage>

const eachList = (client: QueryClient, change: (lists: Lists) => Lists) =>
  client.setQueriesData<Lists>({ queryKey: feedKeys.lists }, (lists) => lists && change(lists))

/** Changes notifications wherever they are cached: in lists, and as the one opened from a push. */
function eachItem(client: QueryClient, change: (item: Notification) => Notification) {
  eachList(client, (lists) => ({
    ...lists,
    pages: lists.pages.map((page) => ({ ...page, data: page.data.map(change) })),
  }))
  client.setQueriesData<Notification | null>({ queryKey: feedKeys.openedOnes }, (item) => item && change(item))
}

const changeSubscriptions = (client: QueryClient, change: (each: Subscription) => Subscription) =>
  client.setQueryData<Subscription[]>(channelKeys.subscriptions, (all) => all?.map(change))

/** Adds a notification at the front of a list, unless the list already contains it. */
function insert(lists: Lists, item: Notification): Lists {
  const [first, ...rest] = lists.pages
  if (!first || lists.pages.some(({ data }) => data.some(({ id }) => id === item.id))) return lists
  const meta = {
    ...first.meta,
    total: first.meta.total + 1,
    unread: first.meta.unread === undefined ? undefined : first.meta.unread + 1,
  }
  return { ...lists, pages: [{ ...first, data: [item, ...first.data], meta }, ...rest] }
}

const isShown = (client: QueryClient, id: string) =>
  client
    .getQueriesData<Lists>({ queryKey: feedKeys.lists })
    .some(([, lists]) => lists?.pages.some(({ data }) => data.some((item) => item.id === id)))

function insertIn(client: QueryClient, list: ChannelAddress | undefined, item: Notification) {
  client.setQueryData<Lists>(feedKeys.list(list), (lists) => lists && insert(lists, item))
}

function without(lists: Lists, id: string): Lists {
  if (!lists.pages.some(({ data }) => data.some((item) => item.id === id))) return lists
  return {
    ...lists,
    pages: lists.pages.map((page) => ({
      data: page.data.filter((item) => item.id !== id),
      meta: { ...page.meta, total: Math.max(0, page.meta.total - 1) },
    })),
  }
}

/** Puts a notification back into its page, sorted newest first. */
function putBack(lists: Lists, at: number, item: Notification): Lists {
  if (lists.pages.some(({ data }) => data.some(({ id }) => id === item.id))) return lists
  const newestFirst = (a: Notification, b: Notification) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')
  return {
    ...lists,
    pages: lists.pages.map((page, index) => ({
      data: index === at ? [...page.data, item].toSorted(newestFirst) : page.data,
      meta: { ...page.meta, total: page.meta.total + 1 },
    })),
  }
}

const forgetOpened = (client: QueryClient, id: string) =>
  client.setQueryData<Notification | null>(feedKeys.opened(id), (item) => item && null)

const changeUnread = (client: QueryClient, channelId: string, by: number) =>
  changeSubscriptions(client, (each) =>
    each.channel.id === channelId ? { ...each, unreadCount: Math.max(0, each.unreadCount + by) } : each,
  )

/**
 * Removes a notification from the feed and from the unread count at once; its channel's list keeps it. Returns a
 * function that puts it back.
 */
export function hide(client: QueryClient, id: string): () => void {
  const lists = client.getQueryData<Lists>(feedKeys.list())
  const opened = client.getQueryData<Notification | null>(feedKeys.opened(id))
  const page = lists?.pages.findIndex(({ data }) => data.some((each) => each.id === id)) ?? -1
  const listed = lists?.pages[page]?.data.find((each) => each.id === id)
  const unread = [listed, opened].some((each) => each && !each.readAt)
  const channelId = (listed ?? opened)?.channel.id
  client.setQueryData<Lists>(feedKeys.list(), (all) => all && without(all, id))
  forgetOpened(client, id)
  if (channelId && unread) changeUnread(client, channelId, -1)
  return () => {
    if (listed) client.setQueryData<Lists>(feedKeys.list(), (all) => all && putBack(all, page, listed))
    client.setQueryData(feedKeys.opened(id), opened)
    if (channelId && unread) changeUnread(client, channelId, 1)
  }
}

/** Marks a notification as read at the given time, or as unread, at once. */
export function showRead(client: QueryClient, id: string, readAt: string | undefined) {
  if (readAt) void closeShown([id])
  let channelId: string | undefined
  eachItem(client, (item) => {
    if (item.id !== id || Boolean(item.readAt) === Boolean(readAt)) return item
    channelId = item.channel.id
    return { ...item, readAt }
  })
  if (channelId) changeUnread(client, channelId, readAt ? -1 : 1)
}

/** Marks all notifications of a channel, or all, as read at once. */
export function showAllRead(client: QueryClient, channelId?: string, readAt = new Date().toISOString()) {
  const chosen = (id: string) => channelId === undefined || id === channelId
  const channel = client
    .getQueryData<Subscription[]>(channelKeys.subscriptions)
    ?.find((each) => each.channel.id === channelId)?.channel
  if (!channelId || channel) void closeAllShown(channel && formatChannel(channel))
  eachItem(client, (item) => (chosen(item.channel.id) && !item.readAt ? { ...item, readAt } : item))
  changeSubscriptions(client, (each) => (chosen(each.channel.id) ? { ...each, unreadCount: 0 } : each))
}

const outdated = new WeakSet<Promise<unknown>>()

/**
 * Refetches every running fetch once it succeeds, because the server may have read its data before this event. A fetch
 * that fails is not repeated: it has been retried and reports its error.
 */
function fetchAgainWhatIsOnItsWay(client: QueryClient) {
  for (const queryKey of [feedKeys.all, channelKeys.subscriptions]) {
    for (const { promise, queryKey: exactly } of client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })) {
      if (!promise || outdated.has(promise)) continue
      outdated.add(promise)
      void promise.then(
        () => client.invalidateQueries({ queryKey: exactly, exact: true }),
        () => undefined,
      )
    }
  }
}

/**
 * Applies a stream event to the cached lists. `feed` is true for the person's own stream, which also changes the feed
 * and the subscriptions, and false for a channel's public stream.
 */
export function applyEvent(client: QueryClient, event: FeedEvent, { feed }: { feed: boolean }) {
  const refetch = () => {
    void client.invalidateQueries({ queryKey: feedKeys.all })
    if (feed) void client.invalidateQueries({ queryKey: channelKeys.subscriptions })
  }
  fetchAgainWhatIsOnItsWay(client)
  switch (event.type) {
    case 'open': // events before the stream was open, or while it was cut off, are missing
    case 'reset':
      refetch()
      break
    case 'notification': {
      const { notification } = event
      if (isShown(client, notification.id)) break
      if (feed) insertIn(client, undefined, notification)
      insertIn(client, notification.channel, notification)
      if (feed && !notification.readAt) changeUnread(client, notification.channel.id, 1)
      break
    }
    case 'corrected':
      eachItem(client, (item) =>
        item.id === event.notification.id ? { ...event.notification, readAt: item.readAt } : item,
      )
      break
    case 'withdrawn':
      eachList(client, (lists) => without(lists, event.notificationId))
      forgetOpened(client, event.notificationId)
      if (feed) void client.invalidateQueries({ queryKey: channelKeys.subscriptions })
      break
    case 'read':
      if (event.notificationId) showRead(client, event.notificationId, event.readAt ?? undefined)
      else showAllRead(client, event.channelId)
      if (event.notificationId && event.archived) {
        void closeShown([event.notificationId])
        hide(client, event.notificationId)
      }
      if (event.archived === false) void client.invalidateQueries({ queryKey: feedKeys.all })
      void client.invalidateQueries({ queryKey: channelKeys.subscriptions })
      break
  }
}

/** Reports whether the subscription's bell lets a notification be announced, by the server's rules for pushes. */
export function rings(notification: Notification, subscriptions: Subscription[], now = new Date()): boolean {
  const address = formatChannel(notification.channel)
  const subscription = subscriptions.find(({ channel }) => formatChannel(channel) === address)
  if (!subscription || subscription.bell === 'none') return false
  if (subscription.mutedUntil && new Date(subscription.mutedUntil) > now) return false
  return subscription.bell === 'all' || notification.importance === 'important'
}

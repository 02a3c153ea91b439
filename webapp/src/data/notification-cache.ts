import type { Notification, NotificationPage } from '@sininho/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type ChannelAddress, formatChannel } from '../lib/paths'
import { closeAllShown, closeShown } from '../lib/push/shown'
import { notificationKeys } from './notifications'
import { changeUnread, clearUnread, followedChannel } from './subscription-cache'

type Lists = InfiniteData<NotificationPage>

export const eachList = (client: QueryClient, change: (lists: Lists) => Lists) =>
  client.setQueriesData<Lists>({ queryKey: notificationKeys.lists }, (lists) => lists && change(lists))

/** Changes notifications wherever they are cached: in lists, and as the one opened from a push. */
export function eachItem(client: QueryClient, change: (item: Notification) => Notification) {
  eachList(client, (lists) => ({
    ...lists,
    pages: lists.pages.map((page) => ({ ...page, data: page.data.map(change) })),
  }))
  client.setQueriesData<Notification | null>({ queryKey: notificationKeys.openedOnes }, (item) => item && change(item))
}

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

export const isShown = (client: QueryClient, id: string) =>
  client
    .getQueriesData<Lists>({ queryKey: notificationKeys.lists })
    .some(([, lists]) => lists?.pages.some(({ data }) => data.some((item) => item.id === id)))

export function insertIn(client: QueryClient, list: ChannelAddress | undefined, item: Notification) {
  client.setQueryData<Lists>(notificationKeys.list(list), (lists) => lists && insert(lists, item))
}

export function without(lists: Lists, id: string): Lists {
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

export const forgetOpened = (client: QueryClient, id: string) =>
  client.setQueryData<Notification | null>(notificationKeys.opened(id), (item) => item && null)

/**
 * Removes a notification from the feed and from the unread count at once; its channel's list keeps it. Returns a
 * function that puts it back.
 */
export function hide(client: QueryClient, id: string): () => void {
  const lists = client.getQueryData<Lists>(notificationKeys.list())
  const opened = client.getQueryData<Notification | null>(notificationKeys.opened(id))
  const page = lists?.pages.findIndex(({ data }) => data.some((each) => each.id === id)) ?? -1
  const listed = lists?.pages[page]?.data.find((each) => each.id === id)
  const unread = [listed, opened].some((each) => each && !each.readAt)
  const channelId = (listed ?? opened)?.channel.id
  client.setQueryData<Lists>(notificationKeys.list(), (all) => all && without(all, id))
  forgetOpened(client, id)
  if (channelId && unread) changeUnread(client, channelId, -1)
  return () => {
    if (listed) client.setQueryData<Lists>(notificationKeys.list(), (all) => all && putBack(all, page, listed))
    client.setQueryData(notificationKeys.opened(id), opened)
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
  const channel = channelId === undefined ? undefined : followedChannel(client, channelId)
  if (!channelId || channel) void closeAllShown(channel && formatChannel(channel))
  eachItem(client, (item) => (chosen(item.channel.id) && !item.readAt ? { ...item, readAt } : item))
  clearUnread(client, channelId)
}

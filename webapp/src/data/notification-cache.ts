import type { Notification, NotificationPage } from '@sininho/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { formatChannel } from '../lib/paths'
import { closeAllShown, closeShown } from '../lib/push/shown'
import { type FeedPart, notificationKeys } from './notifications'
import { changeUnread, clearUnread, subscriptionTo } from './subscription-cache'

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

const has = ({ pages }: Lists, id: string) => pages.some(({ data }) => data.some((item) => item.id === id))

const newestFirst = (a: Notification, b: Notification) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')

/** Reports whether a notification belongs below what is loaded of a list. */
function isFurtherDown({ pages }: Lists, item: Notification): boolean {
  const end = pages.at(-1)
  const last = end?.data.at(-1)
  return end?.meta.nextCursor !== undefined && last !== undefined && newestFirst(item, last) > 0
}

/** Adds a notification at the front of a list, unless the list already contains it. */
function insert(lists: Lists, item: Notification): Lists {
  const [first, ...rest] = lists.pages
  if (!first || isFurtherDown(lists, item) || has(lists, item.id)) return lists
  const meta = { ...first.meta, total: first.meta.total + 1 }
  return { ...lists, pages: [{ ...first, data: [item, ...first.data], meta }, ...rest] }
}

/** Adds a new notification to its channel's list and, if `feed` is set, to the lists of the feed that have it. */
export function addNew(client: QueryClient, item: Notification, feed: boolean) {
  const add = (view: Parameters<typeof notificationKeys.list>[0]) =>
    client.setQueryData<Lists>(notificationKeys.list(view), (lists) => lists && insert(lists, item))
  add({ channel: item.channel })
  if (!feed) return
  const parts: (FeedPart | undefined)[] = [
    undefined,
    'unread',
    item.importance === 'important' ? 'important' : undefined,
  ]
  for (const part of parts) {
    add({ part })
    add({ part, channel: item.channel })
  }
}

export function without(lists: Lists, id: string): Lists {
  if (!has(lists, id)) return lists
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
  if (has(lists, item.id)) return lists
  return {
    ...lists,
    pages: lists.pages.map((page, index) => ({
      data: index === at ? [...page.data, item].toSorted(newestFirst) : page.data,
      meta: { ...page.meta, total: page.meta.total + 1 },
    })),
  }
}

/** Since when a notification is archived, or until when it is postponed. */
export type PutAway = Pick<Notification, 'archivedAt' | 'snoozedUntil'>

/** The part of the feed that has what is put away. */
const awayIn = ({ archivedAt, snoozedUntil }: PutAway) => (snoozedUntil ? 'snoozed' : archivedAt && 'archived')

/** Takes a notification out of the feed's lists where it is no longer. Returns a function that puts it back. */
function takeOut(client: QueryClient, id: string, to: PutAway): { item?: Notification; undo: () => void } {
  let taken: Notification | undefined
  const undos: (() => void)[] = []
  for (const [queryKey, lists] of client.getQueriesData<Lists>({ queryKey: notificationKeys.own })) {
    const at = lists?.pages.findIndex(({ data }) => data.some((each) => each.id === id)) ?? -1
    const item = lists?.pages[at]?.data.find((each) => each.id === id)
    if (!item || awayIn(item) === awayIn(to)) continue
    taken = item
    client.setQueryData<Lists>(queryKey, (all) => all && without(all, id))
    undos.push(() => client.setQueryData<Lists>(queryKey, (all) => all && putBack(all, at, item)))
  }
  return { item: taken, undo: () => undos.forEach((undo) => undo()) }
}

export const forgetOpened = (client: QueryClient, id: string) =>
  client.setQueryData<Notification | null>(notificationKeys.opened(id), (item) => item && null)

/** Archives a notification, or restores it, see {@link showPutAway}. */
export const showArchived = (client: QueryClient, id: string, archived: boolean) =>
  showPutAway(client, id, archived ? { archivedAt: new Date().toISOString() } : {})

/**
 * Puts a notification away, or brings it back, at once: it leaves the lists that it is in. A channel's own list keeps
 * it. Returns a function that puts it back.
 */
export function showPutAway(client: QueryClient, id: string, to: PutAway): () => void {
  const opened = client.getQueryData<Notification | null>(notificationKeys.opened(id))
  const { item, undo } = takeOut(client, id, to)
  const before = item ?? opened ?? undefined
  const unread = before && !before.readAt ? Number(!awayIn(to)) - Number(!awayIn(before)) : 0
  const put = ({ archivedAt, snoozedUntil }: PutAway) =>
    eachItem(client, (each) => (each.id === id ? { ...each, archivedAt, snoozedUntil } : each))
  put(to)
  if (before && unread) changeUnread(client, before.channel.id, unread)
  return () => {
    undo()
    put(before ?? {})
    if (before && unread) changeUnread(client, before.channel.id, -unread)
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
  const channel = channelId === undefined ? undefined : subscriptionTo(client, channelId)?.channel
  if (!channelId || channel) void closeAllShown(channel && formatChannel(channel))
  eachItem(client, (item) => (chosen(item.channel.id) && !item.readAt ? { ...item, readAt } : item))
  clearUnread(client, channelId)
}

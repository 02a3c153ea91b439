import type { Notification, Subscription } from '@sininho/sdk'

/** With this many unread notifications, a channel has one row for them. */
const many = 5

/** How a list is laid out: decided once, so that nothing moves while somebody reads. */
export type Layout = {
  /** The channels that have one row for what is unread, by id. */
  grouped: ReadonlySet<string>
  /** When it was laid out. What has been read since stays in its row. */
  since: string
}

export const ungrouped: Layout = { grouped: new Set(), since: '' }

/** Lays out a list of the channels that somebody follows. */
export const layoutOf = (subscriptions: readonly Subscription[], since: string): Layout => ({
  grouped: new Set(subscriptions.filter(({ unreadCount }) => unreadCount >= many).map(({ channel }) => channel.id)),
  since,
})

/** A row of a list: a notification, or with `group` all that a channel has unread. */
export type Row = {
  /** What places the row. It does not change when more of a group arrives. */
  at: Notification
  /** All that are loaded of the group, newest first. */
  group?: Notification[]
}

/**
 * Returns the rows of notifications, newest first. What a grouped channel has unread is one row, wherever it stands
 * between others, at the place of the newest that was there at first. What is important has a row of its own.
 */
export function rowsOf(items: readonly Notification[], layout: Layout): Row[] {
  const groups = new Map<string, Notification[]>()
  for (const item of items) {
    if (!isMember(item, layout)) continue
    const group = groups.get(item.channel.id)
    if (group) group.push(item)
    else groups.set(item.channel.id, [item])
  }
  return items.flatMap((item) => {
    if (!isMember(item, layout)) return { at: item }
    const group = groups.get(item.channel.id)!
    const place = group.find(({ publishedAt = '' }) => publishedAt <= layout.since) ?? group[0]
    return item === place ? { at: item, group } : []
  })
}

const isMember = ({ channel, importance, readAt }: Notification, { grouped, since }: Layout) =>
  grouped.has(channel.id) && importance !== 'important' && (!readAt || readAt >= since)

/** So many are first; the others keep their places. */
const most = 5

/**
 * Returns what comes first of a list: what is important and unread, and what is valid until a time that had not passed
 * when it was laid out. `items` are newest first.
 */
export const firstOf = (items: readonly Notification[], { since }: Layout) =>
  items.filter((item) => comesFirst(item, since)).slice(0, most)

const comesFirst = ({ importance, readAt, expiresAt }: Notification, since: string) =>
  (importance === 'important' && (!readAt || readAt >= since)) || Boolean(expiresAt && expiresAt > since)

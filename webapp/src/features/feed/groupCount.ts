import type { ChannelRef, Notification, Subscription } from '@sininho/sdk'

/** How many unread notifications a group's row stands for: all of its channel, but for those with a row of their own. */
export function countOf(channel: ChannelRef, alone: readonly Notification[], subscriptions: readonly Subscription[]) {
  const unread = subscriptions.find((each) => each.channel.id === channel.id)?.unreadCount ?? 0
  return Math.max(0, unread - alone.filter((each) => each.channel.id === channel.id && !each.readAt).length)
}

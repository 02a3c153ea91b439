import type { Notification, Subscription, SubscriptionPatch } from '@sininho/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { formatChannel } from '../lib/paths'
import { showAtOnce } from './at-once'
import { addedEvent, hasEvent } from './positions'
import { subscriptionKeys } from './subscriptions'

const change = (client: QueryClient, changed: (each: Subscription) => Subscription) =>
  client.setQueryData<Subscription[]>(subscriptionKeys.all, (all) => all?.map(changed))

/** Returns the subscription to the channel with this id, if the subscriptions are loaded and include it. */
export const subscriptionTo = (client: QueryClient, id: string) =>
  client.getQueryData<Subscription[]>(subscriptionKeys.all)?.find(({ channel }) => channel.id === id)

/** Adds to the unread count of a channel. */
export const changeUnread = (client: QueryClient, channelId: string, by: number) =>
  change(client, (each) =>
    each.channel.id === channelId ? { ...each, unreadCount: Math.max(0, each.unreadCount + by) } : each,
  )

/** Counts a notification that has arrived by the event `id`, unless the counts have it already. */
export function countArrival(client: QueryClient, channelId: string, id: string | undefined) {
  const counted = hasEvent(client, subscriptionKeys.all, id)
  if (counted === 'unsure') void client.invalidateQueries({ queryKey: subscriptionKeys.all })
  if (counted !== 'no') return
  changeUnread(client, channelId, 1)
  addedEvent(client, subscriptionKeys.all, id)
}

/** Sets the unread count of a channel, or of all, to zero. */
export const clearUnread = (client: QueryClient, channelId?: string) =>
  change(client, (each) =>
    channelId === undefined || each.channel.id === channelId ? { ...each, unreadCount: 0 } : each,
  )

/** Shows a channel's changed bell at once. Returns a function that takes that back. */
export function showBell(client: QueryClient, id: string, { mutedUntil, ...rest }: SubscriptionPatch) {
  const mute = mutedUntil === undefined ? {} : { mutedUntil: mutedUntil ?? undefined }
  return showAtOnce<Subscription[]>(client, subscriptionKeys.all, (all) =>
    all.map((each) => (each.channel.id === id ? { ...each, ...rest, ...mute } : each)),
  )
}

/** Reports whether the subscription's bell lets a notification be announced, by the server's rules for pushes. */
export function rings(notification: Notification, subscriptions: Subscription[], now = new Date()): boolean {
  const address = formatChannel(notification.channel)
  const subscription = subscriptions.find(({ channel }) => formatChannel(channel) === address)
  if (!subscription || subscription.bell === 'none') return false
  if (subscription.mutedUntil && new Date(subscription.mutedUntil) > now) return false
  return subscription.bell === 'all' || notification.importance === 'important'
}

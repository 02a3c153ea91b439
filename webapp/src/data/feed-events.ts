import type { FeedEvent } from '@sininho/sdk'
import type { Query, QueryClient } from '@tanstack/react-query'
import { closeShown } from '../lib/push/shown'
import {
  addNew,
  eachItem,
  eachList,
  forgetOpened,
  showAllRead,
  showPutAway,
  showRead,
  without,
} from './notification-cache'
import { notificationKeys } from './notifications'
import { hasEvent } from './positions'
import { countArrival } from './subscription-cache'
import { subscriptionKeys } from './subscriptions'

const outdated = new WeakSet<Promise<unknown>>()

/**
 * Refetches every running fetch once it succeeds, because the server may have read its data before this event. A fetch
 * that fails is not repeated: it has been retried and reports its error.
 */
function fetchAgainWhatIsOnItsWay(client: QueryClient) {
  for (const queryKey of [notificationKeys.all, subscriptionKeys.all]) {
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
    void client.invalidateQueries({ queryKey: notificationKeys.all })
    if (feed) void client.invalidateQueries({ queryKey: subscriptionKeys.all })
  }
  fetchAgainWhatIsOnItsWay(client)
  switch (event.type) {
    case 'open': // events before the stream was open, or while it was cut off, are missing
    case 'reset':
      refetch()
      break
    case 'notification':
      addNew(client, event.notification, feed)
      if (feed && !event.notification.readAt) countArrival(client, event.notification.channel.id, event.id)
      break
    case 'corrected':
      eachItem(client, (item) =>
        item.id === event.notification.id
          ? { ...event.notification, readAt: item.readAt, archivedAt: item.archivedAt, snoozedUntil: item.snoozedUntil }
          : item,
      )
      break
    case 'withdrawn':
      eachList(client, (lists) => without(lists, event.notificationId))
      forgetOpened(client, event.notificationId)
      if (feed && hasEvent(client, subscriptionKeys.all, event.id) !== 'yes')
        void client.invalidateQueries({ queryKey: subscriptionKeys.all })
      break
    case 'read':
      applyRead(client, event)
      break
  }
}

function applyRead(
  client: QueryClient,
  { notificationId, channelId, readAt, archived, snoozedUntil }: Extract<FeedEvent, { type: 'read' }>,
) {
  if (notificationId) showRead(client, notificationId, readAt ?? undefined)
  else showAllRead(client, channelId)
  if (notificationId && archived !== undefined) {
    if (archived) void closeShown([notificationId])
    const archivedAt = archived && !snoozedUntil ? new Date().toISOString() : undefined
    showPutAway(client, notificationId, { archivedAt, snoozedUntil })
    // one that is put away has left the other lists already
    const part = snoozedUntil ? 'snoozed' : 'archived'
    const touched = ({ queryKey }: Query) => !archived || queryKey.includes(part)
    void client.invalidateQueries({ queryKey: notificationKeys.own, predicate: touched })
  }
  void client.invalidateQueries({ queryKey: subscriptionKeys.all })
}

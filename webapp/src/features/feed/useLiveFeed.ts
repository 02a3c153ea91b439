import { type FeedEvent, streamFeed } from '@sininho/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { applyEvent } from '../../data/feed-events'
import { notificationKeys, openedQuery } from '../../data/notifications'
import { hasEvent, startOfStream } from '../../data/positions'
import { authQuery } from '../../data/session'
import { rings } from '../../data/subscription-cache'
import { subscriptionKeys, subscriptionsQuery } from '../../data/subscriptions'
import { env } from '../../env'
import { iconOf, thumbnailOf } from '../../lib/pictures'
import { announceArrival, namedBody } from '../../ui/arrivals'
import { useVisible } from '../../ui/useVisible'

/**
 * Updates the lists from the live stream while the tab is visible. The first stream goes on from what the screen has
 * fetched, so that nothing waits for the stream or is fetched twice. Hidden tabs disconnect, because browsers allow only
 * six connections per server; on return everything is fetched again.
 */
export function useLiveFeed() {
  const client = useQueryClient()
  const router = useRouter()
  const visible = useVisible()
  const opened = useRef(false)
  useEffect(() => {
    if (!visible) return undefined
    const leaving = new AbortController()
    const follow = async () => {
      const lastEventId = opened.current ? undefined : await firstPosition(client, leaving.signal)
      for await (const event of streamFeed({ baseUrl: env().API_BASE_URL, signal: leaving.signal, lastEventId })) {
        const goesOn = lastEventId !== undefined && !opened.current
        opened.current = true
        if (event.type === 'open' && goesOn) continue
        // what was read has no position
        const known = event.type !== 'read' && hasEvent(client, subscriptionKeys.all, event.id) === 'yes'
        applyEvent(client, event, { feed: true })
        if (!known) void announce(client, router, event)
      }
    }
    // the stream fails only when retrying cannot help, which means that the session has ended
    follow().catch(() => client.invalidateQueries({ queryKey: authQuery().queryKey }).then(() => router.invalidate()))
    return () => leaving.abort()
  }, [client, router, visible])
}

/** Returns the position of what the screen shows first, the unread counts included. */
function firstPosition(client: QueryClient, signal: AbortSignal): Promise<string | undefined> {
  void client.prefetchQuery(subscriptionsQuery())
  return startOfStream(client, [notificationKeys.all, subscriptionKeys.all], signal)
}

/**
 * Shows a toast of what arrives, except on the feed, where the list shows it, and of what was postponed until now: it may
 * be far down the list. Waits until the bells are loaded.
 */
async function announce(client: QueryClient, router: AnyRouter, event: FeedEvent) {
  const back = event.type === 'read' && event.returned ? event.notificationId : undefined
  if (!back && (event.type !== 'notification' || router.state.location.pathname === '/feed')) return
  const notification = event.type === 'notification' ? event.notification : await postponed(client, back!)
  if (!notification) return
  const subscriptions = await client.ensureQueryData(subscriptionsQuery()).catch(() => [])
  // of what was asked for, a bell for what is important lets all through
  const { importance } = back ? ({ importance: 'important' } as const) : notification
  if (!rings({ ...notification, importance }, subscriptions)) return
  const icon = iconOf(notification) ?? iconOf(notification.channel)
  const { channel, body } = notification
  const image = thumbnailOf(notification)
  announceArrival({ ...notification, body: namedBody(channel.name, body), image, icon }, back !== undefined)
}

const postponed = (client: QueryClient, id: string) => client.fetchQuery(openedQuery(id)).catch(() => null)

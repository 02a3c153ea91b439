import { type FeedEvent, streamFeed } from '@sininho/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { applyEvent } from '../../data/feed-events'
import { authQuery } from '../../data/session'
import { stopAwaitingStream } from '../../data/stream'
import { rings } from '../../data/subscription-cache'
import { subscriptionsQuery } from '../../data/subscriptions'
import { env } from '../../env'
import { iconOf, imageOf } from '../../lib/pictures'
import { announceArrival, namedBody } from '../../ui/arrivals'
import { useVisible } from '../../ui/useVisible'

/**
 * Updates the lists from the live stream while the tab is visible. Hidden tabs disconnect, because browsers allow only
 * six connections per server; on return everything is fetched again.
 */
export function useLiveFeed() {
  const client = useQueryClient()
  const router = useRouter()
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return undefined
    const leaving = new AbortController()
    const follow = async () => {
      const onRetry = () => void stopAwaitingStream(client)
      for await (const event of streamFeed({ baseUrl: env().API_BASE_URL, signal: leaving.signal, onRetry })) {
        applyEvent(client, event, { feed: true })
        void announce(client, router, event)
      }
    }
    // the stream fails only when retrying cannot help, which means that the session has ended
    follow().catch(() => client.invalidateQueries({ queryKey: authQuery().queryKey }).then(() => router.invalidate()))
    return () => leaving.abort()
  }, [client, router, visible])
}

/** Shows a toast, except on the feed, where the list shows the arrival. Waits until the bells are loaded. */
async function announce(client: QueryClient, router: AnyRouter, event: FeedEvent) {
  if (event.type !== 'notification' || router.state.location.pathname === '/feed') return
  const { notification } = event
  const subscriptions = await client.ensureQueryData(subscriptionsQuery()).catch(() => [])
  if (!rings(notification, subscriptions)) return
  const icon = iconOf(notification) ?? iconOf(notification.channel)
  const { channel, body } = notification
  announceArrival({ ...notification, body: namedBody(channel.name, body), image: imageOf(notification), icon })
}

import { type FeedEvent, streamFeed } from '@sininho/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { env } from '../../env'
import { announceArrival } from '../../ui/arrivals'
import { subscriptionsQuery } from '../channels/queries'
import { authQuery } from '../session/queries'
import { applyEvent, rings } from './cache'
import { useVisible } from './useVisible'

/**
 * Keeps the lists as they are on the server, while the tab is seen: browsers allow only six connections to a server,
 * and on coming back everything is fetched anew.
 */
export function useLiveFeed() {
  const client = useQueryClient()
  const router = useRouter()
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return undefined
    const leaving = new AbortController()
    const follow = async () => {
      for await (const event of streamFeed({ baseUrl: env().API_BASE_URL, signal: leaving.signal })) {
        applyEvent(client, event, { feed: true })
        void announce(client, router, event)
      }
    }
    // it ends with an error only when no further try can mend it: the session is over
    follow().catch(() => client.invalidateQueries({ queryKey: authQuery().queryKey }).then(() => router.invalidate()))
    return () => leaving.abort()
  }, [client, router, visible])
}

/** On the feed the list itself shows what arrives. What comes before the bells are known waits for them. */
async function announce(client: QueryClient, router: AnyRouter, event: FeedEvent) {
  if (event.type !== 'notification' || router.state.location.pathname === '/feed') return
  const { notification } = event
  const subscriptions = await client.ensureQueryData(subscriptionsQuery()).catch(() => [])
  if (!rings(notification, subscriptions)) return
  announceArrival({ ...notification, icon: notification.icon ?? notification.channel.icon })
}

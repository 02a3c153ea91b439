import { type ChannelEvent, type Notification, streamChannel } from '@sininho/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { latestQuery } from '../../data/notifications'
import { env } from '../../env'
import { type ChannelAddress, formatChannel, parseChannel } from '../../lib/paths'
import { useVisible } from '../../ui/useVisible'

/** Keeps the samples of channels current by their public streams. Returns whether all streams are connected. */
export function useLiveSamples(channels: ChannelAddress[], enabled: boolean): boolean {
  const client = useQueryClient()
  const visible = useVisible()
  const [connected, setConnected] = useState(0)
  // sorted, so that nothing is connected anew when one of them publishes
  const addresses = channels.map(formatChannel).toSorted().join(' ')
  useEffect(() => {
    if (!visible || !enabled || !addresses) return undefined
    const leaving = new AbortController()
    const follow = async (channel: ChannelAddress) => {
      const { publisherSlug, slug } = channel
      const events = streamChannel(publisherSlug, slug, { baseUrl: env().API_BASE_URL, signal: leaving.signal })
      for await (const event of events) {
        if (event.type === 'open' && !event.again) setConnected((count) => count + 1)
        apply(client, channel, event)
      }
    }
    for (const address of addresses.split(' ')) follow(parseChannel(address)!).catch(() => undefined)
    return () => {
      leaving.abort()
      setConnected(0)
    }
  }, [client, addresses, visible, enabled])
  return connected > 0 && connected >= channels.length
}

const kept = 5

function apply(client: QueryClient, channel: ChannelAddress, event: ChannelEvent) {
  const { queryKey } = latestQuery(channel)
  const change = (next: (items: Notification[]) => Notification[]) =>
    client.setQueryData(queryKey, (items) => items && next(items))
  switch (event.type) {
    case 'notification':
      change((items) => [event.notification, ...items.filter(({ id }) => id !== event.notification.id)].slice(0, kept))
      break
    case 'corrected':
      change((items) => items.map((item) => (item.id === event.notification.id ? event.notification : item)))
      break
    case 'withdrawn':
      change((items) => items.filter(({ id }) => id !== event.notificationId))
      break
    case 'reset':
      void client.invalidateQueries({ queryKey })
      break
  }
}

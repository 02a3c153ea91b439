import type { NotificationPage } from '@sininho/sdk'
import { type InfiniteData, type Query, matchQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationKeys } from '../../data/notifications'
import { env } from '../../env'
import { closeShown, worker } from '../../lib/push/shown'

/**
 * Closes system notifications once the loaded lists show them as read, in whichever tab or device they were read.
 * data/notification-cache.ts closes those that are in no loaded list. At first it also closes what was read or archived
 * elsewhere while the app was closed.
 */
export function useShownNotifications() {
  const client = useQueryClient()
  useEffect(() => void closeSeenElsewhere().catch(() => undefined), [])
  useEffect(() => {
    const known = new Set<string>()
    const close = (query: Query) => {
      const fresh = readIn(query).filter((id) => !known.has(id))
      if (fresh.length === 0) return
      for (const id of fresh) known.add(id)
      void closeShown(fresh)
    }
    const cache = client.getQueryCache()
    for (const query of cache.getAll()) close(query)
    return cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') close(event.query)
    })
  }, [client])
}

async function closeSeenElsewhere() {
  const registration = await worker()
  if (!registration || (await registration.getNotifications()).length === 0) return
  const { closeSeen } = await import('../../lib/push/seen')
  await closeSeen(registration, env().API_BASE_URL)
}

function readIn(query: Query): string[] {
  if (!matchQuery({ queryKey: notificationKeys.lists }, query)) return []
  const pages = (query.state.data as InfiniteData<NotificationPage> | undefined)?.pages ?? []
  return pages.flatMap(({ data }) => data.filter(({ readAt }) => readAt).map(({ id }) => id))
}

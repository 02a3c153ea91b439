import type { NotificationPage } from '@sininho/sdk'
import { type InfiniteData, type Query, matchQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationKeys } from '../../data/notifications'
import { closeShown } from '../../lib/push/shown'

/**
 * Closes system notifications once the loaded lists show them as read, in whichever tab or device they were read.
 * data/notification-cache.ts closes those that are in no loaded list.
 */
export function useShownNotifications() {
  const client = useQueryClient()
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

function readIn(query: Query): string[] {
  if (!matchQuery({ queryKey: notificationKeys.lists }, query)) return []
  const pages = (query.state.data as InfiniteData<NotificationPage> | undefined)?.pages ?? []
  return pages.flatMap(({ data }) => data.filter(({ readAt }) => readAt).map(({ id }) => id))
}

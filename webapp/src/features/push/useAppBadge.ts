import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscriptionsQuery, unreadTotal } from '../../data/subscriptions'
import { showBadge } from '../../lib/push/badge'

/** Shows the unread count on the installed app's icon where the system supports it, and removes it after sign-out. */
export function useAppBadge() {
  const { data: unread } = useQuery({ ...subscriptionsQuery(), select: unreadTotal })
  useEffect(() => {
    if (unread !== undefined) void showBadge(unread)
  }, [unread])
  useEffect(() => () => void showBadge(0), [])
}

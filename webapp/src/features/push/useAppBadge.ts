import type { Subscription } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscriptionsQuery } from '../../data/subscriptions'

/** Shows the unread count on the installed app's icon where the system supports it, and removes it after sign-out. */
export function useAppBadge() {
  const { data: unread } = useQuery({ ...subscriptionsQuery(), select: unreadTotal })
  useEffect(() => {
    if (unread !== undefined) void show(unread)
  }, [unread])
  useEffect(() => () => void show(0), [])
}

const unreadTotal = (subscriptions: Subscription[]) => subscriptions.reduce((sum, each) => sum + each.unreadCount, 0)

async function show(unread: number) {
  const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator
  await (unread > 0 ? badge.setAppBadge?.(unread) : badge.clearAppBadge?.())?.catch(() => undefined)
}

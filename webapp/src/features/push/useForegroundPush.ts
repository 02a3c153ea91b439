import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { type Push, notificationId } from '../../lib/push/message'
import { refreshPush } from '../../lib/push/registration'
import { announceArrival } from '../../ui/arrivals'

/**
 * Receives pushes from the service worker while the app is in the foreground. Every tab refetches its lists; a visible
 * tab shows a toast and confirms it. Without a confirmation the worker shows a system notification, see sw.ts.
 */
export function useForegroundPush() {
  const queryClient = useQueryClient()
  useEffect(() => {
    void refreshPush()
    if (!('serviceWorker' in navigator)) return undefined
    const received = ({ data, ports }: MessageEvent<{ push?: Push } | null>) => {
      const push = data?.push
      if (!push) return
      void queryClient.invalidateQueries({ queryKey: notificationKeys.all })
      void queryClient.invalidateQueries({ queryKey: subscriptionKeys.all })
      if (document.visibilityState !== 'visible') return
      announceArrival({ ...push, id: notificationId(push.data) })
      ports[0]?.postMessage('shown')
    }
    const { serviceWorker } = navigator
    serviceWorker.addEventListener('message', received)
    return () => serviceWorker.removeEventListener('message', received)
  }, [queryClient])
}

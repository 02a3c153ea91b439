import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deviceKeys } from '../../data/devices'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { type Push, notificationId } from '../../lib/push/message'
import { refreshPush } from '../../lib/push/registration'
import { announceArrival } from '../../ui/arrivals'

/**
 * Receives pushes from the service worker while the app is in the foreground, and what the person has done with a system
 * notification. Every tab refetches its lists; a visible tab shows a toast of a push and confirms it. Without a
 * confirmation the worker shows a system notification, see sw.ts.
 */
export function useForegroundPush() {
  const queryClient = useQueryClient()
  useEffect(() => {
    void refreshPush()
    if (!('serviceWorker' in navigator)) return undefined
    const received = ({ data, ports }: MessageEvent<{ push?: Push; acted?: true } | null>) => {
      if (!data?.push && !data?.acted) return
      void queryClient.invalidateQueries({ queryKey: notificationKeys.all })
      void queryClient.invalidateQueries({ queryKey: subscriptionKeys.all })
      const { push } = data
      // one that is not in the feed may be the first one to this device
      if (push && !notificationId(push.data)) void queryClient.invalidateQueries({ queryKey: deviceKeys.all })
      if (!push || document.visibilityState !== 'visible') return
      announceArrival({ ...push, id: notificationId(push.data) })
      ports[0]?.postMessage('shown')
    }
    const { serviceWorker } = navigator
    serviceWorker.addEventListener('message', received)
    return () => serviceWorker.removeEventListener('message', received)
  }, [queryClient])
}

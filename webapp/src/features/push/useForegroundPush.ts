import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { feedKeys } from '../feed/queries'
import { channelKeys } from '../channels/queries'
import { api, call } from '../../lib/api'
import { announceArrival } from '../../ui/arrivals'
import { pushData } from './message'
import { refreshPush } from './registration'
import { pushSupport } from './support'

/**
 * While the app is in front the worker hands messages to it: every tab fetches its lists anew, and the one that is
 * seen shows a toast. Starts only where permission was given before, and asks for none.
 */
export function useForegroundPush() {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (pushSupport() === 'unsupported' || pushSupport() === 'install') return undefined
    let stop = () => {}
    let left = false
    const listen = async () => {
      if (pushSupport() !== 'granted') return
      const { onForegroundMessage } = await import('./firebase')
      if (left) return
      stop()
      stop = onForegroundMessage(({ notification, data }) => {
        const { id } = pushData(data)
        void queryClient.invalidateQueries({ queryKey: feedKeys.all })
        void queryClient.invalidateQueries({ queryKey: channelKeys.subscriptions })
        if (document.visibilityState !== 'visible' || !notification?.title) return
        announceArrival({ ...notification, id, title: notification.title })
        if (id) void recordDisplayed(id)
      })
    }
    const granted = () => void listen().catch(() => undefined)
    granted()
    void refreshPush()
    let permission: PermissionStatus | undefined
    navigator.permissions
      ?.query({ name: 'notifications' })
      .then((status) => {
        if (left) return
        permission = status
        status.addEventListener('change', granted)
      })
      .catch(() => undefined)
    return () => {
      left = true
      permission?.removeEventListener('change', granted)
      stop()
    }
  }, [queryClient])
}

const recordDisplayed = (id: string) =>
  call(
    api().POST('/subscribers/notifications/{id}/events', { params: { path: { id } }, body: { type: 'displayed' } }),
  ).catch(() => undefined)

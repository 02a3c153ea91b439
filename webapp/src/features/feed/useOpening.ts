import type { Notification } from '@sininho/sdk'
import { useEffect, useRef } from 'react'

/** Marks a notification as read when it is shown. If the reader then marks it as unread, it stays so. */
export function useOpening(notification: Notification | null | undefined, open: (id: string) => void) {
  const opened = useRef<string>(undefined)
  const id = notification?.id
  const unread = notification ? !notification.readAt : false
  useEffect(() => {
    if (!id || opened.current === id) return
    opened.current = id
    if (unread) open(id)
  }, [id, unread, open])
}

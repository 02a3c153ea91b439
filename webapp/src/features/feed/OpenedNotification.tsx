import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pt } from '../../i18n/pt'
import { NotificationCard } from './NotificationCard'
import { openedQuery } from './queries'
import { useNotificationActions } from './useNotificationActions'

/** The notification that a push led to, when it is not among those already loaded. */
export function OpenedNotification({ id }: { id: string }) {
  const { data } = useQuery(openedQuery(id))
  const actions = useNotificationActions()
  const isUnread = data ? !data.readAt : false
  const { open } = actions
  useEffect(() => {
    if (isUnread) open(id)
  }, [id, isUnread, open])
  if (!data) return null
  return (
    <section aria-label={pt.feed.focused}>
      <NotificationCard notification={data} actions={actions} focused />
    </section>
  )
}

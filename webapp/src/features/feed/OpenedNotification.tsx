import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openedQuery } from '../../data/notifications'
import { pt } from '../../i18n/pt'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import { NotificationCard } from './NotificationCard'
import classes from './OpenedNotification.module.css'
import { useNotificationActions } from './useNotificationActions'

/** The notification opened from a push, if the loaded lists do not contain it. */
export default function OpenedNotification({ id }: { id: string }) {
  const query = useQuery(openedQuery(id))
  const actions = useNotificationActions()
  const { open } = actions
  const isUnread = query.data ? !query.data.readAt : false
  useEffect(() => {
    if (isUnread) open(id)
  }, [id, isUnread, open])
  return (
    <Loaded query={query} skeleton={<ListSkeleton label={pt.loading} rows={1} />}>
      {(notification) =>
        notification ? (
          <section aria-label={pt.feed.focused}>
            <NotificationCard notification={notification} actions={actions} focused />
          </section>
        ) : (
          <p role="status" className={classes.gone}>
            {pt.feed.gone}
          </p>
        )
      }
    </Loaded>
  )
}

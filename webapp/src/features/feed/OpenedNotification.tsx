import { useQuery } from '@tanstack/react-query'
import { openedQuery } from '../../data/notifications'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import { Gone } from './Gone'
import classes from './feed.module.css'
import { NotificationCard } from './NotificationCard'
import { useNotificationActions } from './useNotificationActions'
import { useOpening } from './useOpening'

/** The notification opened from a push, if the loaded lists do not contain it. */
export default function OpenedNotification({ id }: { id: string }) {
  const query = useQuery(openedQuery(id))
  const actions = useNotificationActions()
  useOpening(query.data, actions.open)
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={1} />}>
      {(notification) =>
        notification ? (
          <section aria-label={words.feed.focused} className={classes.opened}>
            <NotificationCard notification={notification} list={{ actions, followed: true }} marked="open" />
          </section>
        ) : (
          <Gone />
        )
      }
    </Loaded>
  )
}

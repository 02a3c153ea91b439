import { words } from '../../i18n/words'
import classes from './feed.module.css'
import { NotificationCard } from './NotificationCard'
import { Opened } from './Opened'

/** The notification opened from a push, if the loaded lists do not contain it. */
export default function OpenedNotification({ id }: { id: string }) {
  return (
    <Opened id={id}>
      {(notification, actions) => (
        <section aria-label={words.feed.focused} className={classes.opened}>
          <NotificationCard notification={notification} list={{ actions, followed: true }} marked="open" />
        </section>
      )}
    </Opened>
  )
}

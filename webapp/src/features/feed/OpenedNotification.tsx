import { Paper } from '@mantine/core'
import { words } from '../../i18n/words'
import { NotificationCard } from './NotificationCard'
import { Opened } from './Opened'

/** The notification opened from a push, if the loaded lists do not contain it. */
export default function OpenedNotification({ id }: { id: string }) {
  return (
    <Opened id={id}>
      {(notification, actions) => (
        <Paper component="section" withBorder aria-label={words.feed.focused} style={{ overflow: 'clip' }}>
          <NotificationCard notification={notification} list={{ actions, followed: true }} marked="open" />
        </Paper>
      )}
    </Opened>
  )
}

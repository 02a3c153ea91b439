import { Button } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconArchive, IconArchiveOff, IconMail, IconMailOpened, IconShare3 } from '@tabler/icons-react'
import { pt } from '../../i18n/pt'
import type { NotificationActions } from './useNotificationActions'

type Props = {
  notification: Notification
  actions: NotificationActions
  /** The reader follows the channel. */
  followed: boolean
  /** Called when the notification leaves the part of the feed that is shown. */
  onArchive?: () => void
}

/** What a reader does with a notification that they have open. */
export function TriageButtons({ notification, actions, followed, onArchive }: Props) {
  const { id, readAt, archivedAt } = notification
  return (
    <>
      {followed && (
        <>
          <Button
            variant="default"
            leftSection={archivedAt ? <IconArchiveOff size={18} /> : <IconArchive size={18} />}
            onClick={() => {
              onArchive?.()
              actions.archive(id, !archivedAt)
            }}
          >
            {archivedAt ? pt.feed.restore : pt.feed.archive}
          </Button>
          <Button
            variant="default"
            leftSection={readAt ? <IconMail size={18} /> : <IconMailOpened size={18} />}
            onClick={() => actions.setRead(id, !readAt)}
          >
            {readAt ? pt.feed.unreadAgain : pt.feed.read}
          </Button>
        </>
      )}
      <Button variant="default" leftSection={<IconShare3 size={18} />} onClick={() => actions.share(notification)}>
        {pt.feed.share}
      </Button>
    </>
  )
}

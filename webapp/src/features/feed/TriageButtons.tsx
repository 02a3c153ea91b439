import { Button } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { triageOf } from './triage'
import type { NotificationActions } from './useNotificationActions'
import { useSnoozing } from './useSnoozing'

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
  const snoozing = useSnoozing()
  return (
    <>
      {triageOf(notification, actions, snoozing, followed, onArchive).map(({ deed, label, icon, onClick }) => (
        <Button size="sm" key={deed} variant="default" leftSection={icon} onClick={onClick}>
          {label}
        </Button>
      ))}
      {snoozing.sheet}
    </>
  )
}

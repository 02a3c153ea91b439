import { Button } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { triageOf } from './triage'
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
export const TriageButtons = ({ notification, actions, followed, onArchive }: Props) =>
  triageOf(notification, actions, followed, onArchive).map(({ deed, label, icon, onClick }) => (
    <Button size="sm" key={deed} variant="default" leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  ))

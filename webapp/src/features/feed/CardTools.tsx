import { ActionIcon } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { words } from '../../i18n/words'
import { Menu } from '../../ui/Menu'
import classes from './feed.module.css'
import { triageOf } from './triage'
import type { NotificationActions } from './useNotificationActions'
import { useSnoozing } from './useSnoozing'
import { useTuning } from './useTuning'

type Props = {
  of: Notification
  titleId: string
  actions: NotificationActions
  followed: boolean
  /** The mouse or the focus is or was here. */
  near: boolean
  /** Called before the notification leaves the list. */
  leave: () => void
}

/** What can be done with a notification: the menu, and buttons for what is done most. */
export default function CardTools({ of, titleId, actions, followed, near, leave }: Props) {
  const snoozing = useSnoozing()
  const tuning = useTuning(of.channel)
  const items = triageOf(of, actions, snoozing, followed, leave)
  return (
    <div className={classes.tools}>
      {near &&
        followed &&
        items.slice(0, 2).map(({ deed, label, icon, onClick }) => (
          <ActionIcon
            key={deed}
            className={classes.tool}
            aria-label={label}
            aria-describedby={titleId}
            title={label}
            onClick={onClick}
          >
            {icon}
          </ActionIcon>
        ))}
      <Menu
        label={words.feed.options}
        describedBy={titleId}
        items={() => (followed ? [...items, ...tuning.items()] : items)}
      />
      {snoozing.sheet}
      {tuning.sheet}
    </div>
  )
}

import type { Notification } from '@sininho/sdk'
import {
  IconArchive,
  IconArchiveOff,
  IconClock,
  IconFlag,
  IconMail,
  IconMailOpened,
  IconShare3,
} from '@tabler/icons-react'
import { shareLabel } from '../../data/share'
import { snooze } from '../../i18n/snooze'
import { words } from '../../i18n/words'
import type { NotificationActions } from './useNotificationActions'
import type { Snoozing } from './useSnoozing'

/**
 * What a reader can do with a notification, for a menu or for buttons. Only followers of its channel have it in their
 * feed. `leave` is called before it leaves the part of the feed that is shown.
 */
export function triageOf(
  notification: Notification,
  actions: NotificationActions,
  snoozing: Snoozing,
  followed: boolean,
  leave?: () => void,
) {
  const { id, readAt, archivedAt, snoozedUntil } = notification
  const share = {
    deed: 'share',
    label: shareLabel(notification.channel),
    icon: <IconShare3 size={20} />,
    onClick: () => actions.share(notification),
  }
  const { report } = actions
  const others = report
    ? [
        share,
        {
          deed: 'report',
          label: words.report.action,
          icon: <IconFlag size={20} />,
          onClick: () => report(notification),
        },
      ]
    : [share]
  if (!followed) return others
  return [
    {
      deed: 'read',
      label: readAt ? words.feed.unreadAgain : words.feed.read,
      icon: readAt ? <IconMail size={20} /> : <IconMailOpened size={20} />,
      onClick: () => actions.setRead(id, !readAt),
    },
    snoozedUntil
      ? {
          deed: 'back',
          label: snooze.back,
          icon: <IconArchiveOff size={20} />,
          onClick: () => {
            leave?.()
            snoozing.bringBack(notification)
          },
        }
      : {
          deed: 'archive',
          label: archivedAt ? words.feed.restore : words.feed.archive,
          icon: archivedAt ? <IconArchiveOff size={20} /> : <IconArchive size={20} />,
          onClick: () => {
            leave?.()
            actions.archive(id, !archivedAt)
          },
        },
    {
      deed: 'snooze',
      label: snoozedUntil ? snooze.change : snooze.action,
      icon: <IconClock size={20} />,
      onClick: () => snoozing.ask(notification, leave),
    },
    ...others,
  ]
}

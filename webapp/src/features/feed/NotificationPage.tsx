import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { notificationQuery, openedQuery } from '../../data/notifications'
import { notification as words } from '../../i18n/notification'
import { type ChannelAddress, pageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { PageTitle } from '../../ui/PageTitle'
import { MoreNotifications } from './MoreNotifications'
import { NotificationView } from './NotificationView'
import { TriageButtons } from './TriageButtons'
import { useNotificationActions } from './useNotificationActions'
import { useOpening } from './useOpening'

type Props = {
  address: ChannelAddress
  id: string
  /** The reader follows the channel. */
  followed: boolean
  /** The channel's publisher. */
  by?: ReactNode
  /** Follows the channel. */
  follow?: ReactNode
  /** Shown when the notification no longer exists for the reader. */
  missing: ReactNode
}

/** A notification at its permanent address. */
export function NotificationPage({ address, id, followed, by, follow, missing }: Props) {
  const { data: own } = useQuery({ ...openedQuery(id), enabled: followed })
  const { data: published } = useQuery({ ...notificationQuery(address, id), enabled: !followed })
  const notification = followed ? own : published
  const actions = useNotificationActions()
  useOpening(followed ? notification : undefined, actions.open)
  if (notification === null) return missing
  return (
    notification && (
      <Stack gap={24}>
        <BackLink {...pageOf(notification.channel)} aria-label={words.back(notification.channel.name)}>
          {notification.channel.name}
        </BackLink>
        <article>
          <NotificationView
            notification={notification}
            title={<PageTitle size={22}>{notification.title}</PageTitle>}
            by={by}
            follow={follow}
            actions={<TriageButtons notification={notification} actions={actions} followed={followed} />}
          />
        </article>
        <MoreNotifications of={notification} />
      </Stack>
    )
  )
}

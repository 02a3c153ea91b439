import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { notificationQuery, openedQuery } from '../../data/notifications'
import type { ChannelAddress } from '../../lib/paths'
import { PageTitle } from '../../ui/PageTitle'
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
}

/** A notification at its permanent address. */
export function NotificationPage({ address, id, followed, by, follow }: Props) {
  const { data: own } = useQuery({ ...openedQuery(id), enabled: followed })
  const { data: published } = useQuery({ ...notificationQuery(address, id), enabled: !followed })
  const notification = followed ? own : published
  const actions = useNotificationActions()
  useOpening(followed ? notification : undefined, actions.open)
  return (
    notification && (
      <article>
        <NotificationView
          notification={notification}
          title={<PageTitle>{notification.title}</PageTitle>}
          by={by}
          actions={
            <>
              {follow}
              <TriageButtons notification={notification} actions={actions} followed={followed} />
            </>
          }
        />
      </article>
    )
  )
}

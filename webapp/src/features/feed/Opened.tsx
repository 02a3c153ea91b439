import { Text } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listed, openedQuery } from '../../data/notifications'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import { type NotificationActions, useNotificationActions } from './useNotificationActions'
import { useOpening } from './useOpening'

type Props = { id: string; children: (notification: Notification, actions: NotificationActions) => ReactNode }

/** A notification that the reader has opened, or that it is gone. */
export function Opened({ id, children }: Props) {
  const client = useQueryClient()
  const query = useQuery({ ...openedQuery(id), initialData: () => listed(client, id) })
  const actions = useNotificationActions()
  useOpening(query.data, actions.open)
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={1} />}>
      {(notification) => (notification ? children(notification, actions) : <Gone />)}
    </Loaded>
  )
}

/** Instead of a notification that was withdrawn, has expired or is of a channel that the reader no longer follows. */
const Gone = () => (
  <Text role="status" p={16} bd="1px dashed var(--line)" bdrs={12} c="dimmed" ta="center" textWrap="balance">
    {words.feed.gone}
  </Text>
)

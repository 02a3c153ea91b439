import { Box, CloseButton, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listed } from '../../data/notification-cache'
import { openedQuery } from '../../data/notifications'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import { Gone } from './Gone'
import { NotificationView } from './NotificationView'
import classes from './feed.module.css'
import { TriageButtons } from './TriageButtons'
import { useNotificationActions } from './useNotificationActions'
import { useOpening } from './useOpening'

/** A notification beside the list that it was chosen from. */
export default function ReadingPane({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient()
  const query = useQuery({ ...openedQuery(id), initialData: () => listed(client, id) })
  const actions = useNotificationActions()
  useOpening(query.data, actions.open)
  return (
    <Box component="section" pos="relative" className={classes.pane} aria-label={words.feed.focused}>
      <CloseButton className={classes.close} aria-label={words.feed.closePane} onClick={onClose} />
      <Loaded query={query} skeleton={<ListSkeleton rows={1} />}>
        {(notification) =>
          notification ? (
            <NotificationView
              notification={notification}
              title={
                <Title order={2} size={22}>
                  {notification.title}
                </Title>
              }
              actions={<TriageButtons notification={notification} actions={actions} followed onArchive={onClose} />}
            />
          ) : (
            <Gone />
          )
        }
      </Loaded>
    </Box>
  )
}

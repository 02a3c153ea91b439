import { Box, CloseButton, Title } from '@mantine/core'
import { words } from '../../i18n/words'
import { NotificationView } from './NotificationView'
import { Opened } from './Opened'
import classes from './feed.module.css'
import { TriageButtons } from './TriageButtons'

/** A notification beside the list that it was chosen from. */
export default function ReadingPane({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Box component="section" pos="relative" className={classes.pane} aria-label={words.feed.focused}>
      <CloseButton
        pos="absolute"
        top={16}
        right={16}
        style={{ zIndex: 2 }}
        aria-label={words.feed.closePane}
        onClick={onClose}
      />
      <Opened id={id}>
        {(notification, actions) => (
          <NotificationView
            notification={notification}
            title={
              <Title order={2} size={22}>
                {notification.title}
              </Title>
            }
            actions={<TriageButtons notification={notification} actions={actions} followed onArchive={onClose} />}
          />
        )}
      </Opened>
    </Box>
  )
}

import { Text } from '@mantine/core'
import { words } from '../../i18n/words'

/** Instead of a notification that was withdrawn, has expired or is of a channel that the reader no longer follows. */
export const Gone = () => (
  <Text role="status" p={16} bd="1px dashed var(--line)" bdrs={12} c="dimmed" ta="center" textWrap="balance">
    {words.feed.gone}
  </Text>
)

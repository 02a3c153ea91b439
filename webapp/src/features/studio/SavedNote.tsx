import { Text } from '@mantine/core'
import { studio } from '../../i18n/studio'
import type { Saved } from './draft-saver'

const words = studio.drafts

/** Whether what is written is saved. It is announced only if it is not. */
export function SavedNote({ saved }: { saved: Saved }) {
  const failed = typeof saved === 'object'
  return (
    <Text c={failed ? 'danger' : 'dimmed'} fz="sm" mih={24} role={failed ? 'alert' : undefined}>
      {failed ? words.unsaved(saved.failed) : saved && words[saved]}
    </Text>
  )
}

import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusBack } from './useFocusBack'

/** A modal dialog, at the bottom of phones. Open while it is rendered. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const opened = useFocusBack()
  return (
    <Modal opened={opened} title={title} onClose={onClose}>
      {children}
    </Modal>
  )
}

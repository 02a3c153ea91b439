import { Button, Group, Text } from '@mantine/core'
import { words } from '../i18n/words'
import { Dialog } from './Dialog'

type Props = { question: string; text: string; action: string; onConfirm: () => void; onClose: () => void }

/** Asks before an action that cannot be undone. Open while it is rendered. */
export function Confirm({ question, text, action, onConfirm, onClose }: Props) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog title={question} onClose={onClose}>
      <Text c="dimmed">{text}</Text>
      <Group justify="flex-end" mt={24}>
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button color="danger" onClick={confirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  )
}

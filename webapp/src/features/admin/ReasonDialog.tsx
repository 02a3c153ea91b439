import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'

type Props = {
  question: string
  text: string
  hint: string
  action: string
  /** Whether it may be left empty. */
  optional?: boolean
  onReason: (reason: string) => void
  onClose: () => void
}

const maxReason = 1000

/** Asks for the reason of a suspension, a withdrawal or a refusal. Open while it is rendered. */
export function ReasonDialog({ question, text, hint, action, optional = false, onReason, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const missing = !optional && reason.trim() === ''
  const send = () => {
    if (missing) return setTried(true)
    onClose()
    return onReason(reason.trim())
  }
  return (
    <Dialog title={question} onClose={onClose}>
      <Form onSubmit={send}>
        <Text c="dimmed">{text}</Text>
        <Textarea
          label={admin.moderation.why}
          description={hint}
          rows={3}
          maxLength={maxReason}
          required={!optional}
          value={reason}
          error={tried && missing && admin.moderation.whyMissing}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group align="stretch" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" color="danger">
            {action}
          </Button>
        </Group>
      </Form>
    </Dialog>
  )
}

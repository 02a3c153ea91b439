import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import classes from './ReasonDialog.module.css'

type Props = {
  question: string
  text: string
  hint: string
  action: string
  onReason: (reason: string) => void
  onClose: () => void
}

const maxReason = 1000

/** Asks for the reason of a suspension or a withdrawal. Open while it is rendered. */
export function ReasonDialog({ question, text, hint, action, onReason, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const missing = reason.trim() === ''
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (missing) return setTried(true)
    onClose()
    return onReason(reason.trim())
  }
  return (
    <Dialog title={question} onClose={onClose}>
      <form className={classes.form} noValidate onSubmit={send}>
        <p className={classes.text}>{text}</p>
        <Textarea
          label={admin.moderation.why}
          description={hint}
          size="md"
          rows={3}
          maxLength={maxReason}
          required
          withAsterisk={false}
          value={reason}
          error={tried && missing && admin.moderation.whyMissing}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={classes.actions}>
          <Button variant="default" size="md" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" danger size="md">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

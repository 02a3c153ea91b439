import { Button, TextInput, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { pt } from '../../i18n/pt'
import classes from './Composer.module.css'
import { type DemoMessage, sendDemoMutation } from './mutations'

type Props = {
  message: DemoMessage
  onChange: (message: DemoMessage) => void
  onSent: (notificationId: string) => void
}

export function Composer({ message, onChange, onSent }: Props) {
  const [tried, setTried] = useState(false)
  const send = useMutation(sendDemoMutation())
  const missing = message.title.trim() === ''
  const submit = () => {
    setTried(true)
    if (!missing) send.mutate(message, { onSuccess: ({ notificationId }) => onSent(notificationId) })
  }
  return (
    <form
      className={classes.form}
      aria-label={pt.demo.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label={pt.demo.fieldTitle}
        size="md"
        maxLength={200}
        required
        withAsterisk={false}
        value={message.title}
        error={tried && missing ? pt.demo.titleMissing : undefined}
        onChange={(event) => onChange({ ...message, title: event.currentTarget.value })}
      />
      <Textarea
        label={pt.demo.fieldBody}
        size="md"
        rows={3}
        maxLength={2000}
        value={message.body}
        onChange={(event) => onChange({ ...message, body: event.currentTarget.value })}
      />
      <Button type="submit" size="md" leftSection={<IconSend size={20} />} loading={send.isPending}>
        {pt.demo.send}
      </Button>
    </form>
  )
}

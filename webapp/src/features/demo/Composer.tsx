import { Button, Flex, Group, Paper, Switch, Text, TextInput, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { ApiError } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { demo } from '../../i18n/demo'
import { faultsOf } from '../../lib/faults'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { useOnline } from '../../ui/useOnline'
import { useWait } from '../../ui/useWait'
import { type DemoMessage, payloadOf } from './message'
import { sendDemoMutation } from './mutations'

type Props = {
  message: DemoMessage
  onChange: (message: DemoMessage) => void
  onSent: (notificationId: string) => void
}
type Faults = Partial<Record<keyof DemoMessage, string>>

export function Composer({ message, onChange, onSent }: Props) {
  const [tried, setTried] = useState(false)
  const online = useOnline()
  const send = useMutation(sendDemoMutation())
  const { until, waiting } = useWait(
    send.error instanceof ApiError ? send.error.retryAfter : undefined,
    send.submittedAt,
  )
  const own = tried ? missing(message) : {}
  const faults: Faults = { ...faultsOf(send.error, send.variables, payloadOf(message)), ...own }

  const submit = () => {
    if (waiting || send.isPending) return
    setTried(true)
    if (Object.keys(missing(message)).length > 0) return
    send.mutate(payloadOf(message), { onSuccess: onSent })
  }
  return (
    <Paper withBorder className={ui.card}>
      <Form aria-label={demo.form} faults={faults} onSubmit={submit}>
        <Group role="group" aria-labelledby="examples">
          <Text id="examples" span me={4} c="dimmed" fz="sm">
            {demo.examplesLabel}
          </Text>
          {demo.examples.map(({ name, title, body }) => (
            <Button
              key={name}
              size="sm"
              px={12}
              variant={message.title === title && message.body === body ? 'light' : 'default'}
              aria-pressed={message.title === title && message.body === body}
              onClick={() => onChange({ ...message, title, body })}
            >
              {name}
            </Button>
          ))}
        </Group>
        <TextInput
          label={demo.fieldTitle}
          maxLength={200}
          required
          value={message.title}
          error={faults.title}
          onChange={(event) => onChange({ ...message, title: event.currentTarget.value })}
        />
        <Textarea
          label={demo.fieldBody}
          rows={2}
          maxLength={20_000}
          value={message.body}
          error={faults.body}
          onChange={(event) => onChange({ ...message, body: event.currentTarget.value })}
        />
        <Flex gap={16} direction={{ base: 'column', sm: 'row' }} align={{ base: 'stretch', sm: 'center' }}>
          <Switch
            label={demo.fieldImportant}
            description={demo.importantHint}
            flex={1}
            checked={message.importance === 'important'}
            onChange={(event) =>
              onChange({ ...message, importance: event.currentTarget.checked ? 'important' : 'normal' })
            }
          />
          <Button
            type="submit"
            leftSection={<IconSend size={20} />}
            loading={send.isPending}
            // unlike a disabled button, it keeps the focus
            aria-disabled={waiting || undefined}
            data-disabled={waiting || undefined}
          >
            {demo.send}
          </Button>
        </Flex>
        <Text role="status" fz={15}>
          {!online && demo.offline}
          {online && waiting && until && demo.tooMany(until)}
        </Text>
      </Form>
    </Paper>
  )
}

/** Checks what can be known to be wrong before sending. */
function missing({ title }: DemoMessage): Faults {
  return title.trim() ? {} : { title: demo.titleMissing }
}

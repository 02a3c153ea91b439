import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import type { EventEndpoint, EventEndpointInput } from '@sininho/sdk'
import { useState } from 'react'
import type { EventTypeInput } from '../../data/event-endpoints'
import { endpoints as words } from '../../i18n/endpoints'
import { words as common } from '../../i18n/words'
import { faultsOf } from '../../lib/faults'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'
import { addressOf } from './message'

/** What can be chosen. Tests are sent without. */
const types = [
  'notification.finished',
  'notification.failed',
  'notification.dispatched',
  'channel.subscribers',
] as const satisfies EventTypeInput[]

type Sending = { isPending: boolean; error: Error | null; variables?: Partial<EventEndpointInput> }

type Props = {
  /** The one that is changed. */
  endpoint?: EventEndpoint
  sending: Sending
  onSave: (endpoint: EventEndpointInput) => void
  onCancel: () => void
}

/** Says to which address what is sent. */
export function EndpointForm({ endpoint, sending, onSave, onCancel }: Props) {
  const [fields, setFields] = useState({
    name: endpoint?.name ?? '',
    url: endpoint?.url ?? '',
    events: (endpoint?.events ?? types) as readonly string[],
  })
  const [tried, setTried] = useState(false)
  const change = (part: Partial<typeof fields>) => setFields({ ...fields, ...part })
  const events = types.filter((type) => fields.events.includes(type))
  const body = { name: fields.name.trim(), url: addressOf(fields.url.trim()), events }
  const own = {
    ...(!body.name && { name: words.nameMissing }),
    ...(!body.url && { url: words.urlMissing }),
    ...(events.length === 0 && { events: words.eventsMissing }),
  }
  const faults = { ...faultsOf<Partial<EventEndpointInput>>(sending.error, sending.variables, body), ...(tried && own) }
  const submit = () => {
    setTried(true)
    if (Object.keys(own).length === 0 && !sending.isPending) onSave(body)
  }
  return (
    <Form className={ui.ruled} aria-label={words.form} faults={faults} onSubmit={submit}>
      <Text fw={650}>{words.form}</Text>
      <TextInput
        label={words.name}
        description={words.nameHint}
        maxLength={100}
        autoComplete="off"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={fields.name}
        error={faults.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        type="url"
        label={words.url}
        description={words.urlHint}
        maxLength={2048}
        autoComplete="off"
        required
        value={fields.url}
        error={faults.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
      />
      <Checkbox.Group
        label={words.events}
        value={events}
        error={faults.events}
        onChange={(chosen) => change({ events: chosen })}
      >
        <Stack gap={0}>
          {types.map((type) => (
            <Checkbox key={type} value={type} label={words.types[type]} py={10} />
          ))}
        </Stack>
      </Checkbox.Group>
      <FormActions action={endpoint ? common.save : words.add} loading={sending.isPending} onCancel={onCancel} />
    </Form>
  )
}

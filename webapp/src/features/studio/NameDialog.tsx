import { Button, Text, TextInput } from '@mantine/core'
import { ApiError } from '@sininho/sdk'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'

const words = studio.templates

type Props = {
  title: string
  hint?: string
  /** The name that it has. */
  name?: string
  pending: boolean
  error: Error | null
  onSave: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a template. Open while it is rendered. */
export function NameDialog({ title, hint, name: before = '', pending, error, onSave, onClose }: Props) {
  const [name, setName] = useState(before)
  const [sent, setSent] = useState<string>()
  const taken = error instanceof ApiError && error.status === 409 && sent === name
  const fault = sent === '' && name.trim() === '' ? words.nameMissing : taken ? words.nameTaken : undefined
  const submit = () => {
    setSent(name.trim())
    if (name.trim() !== '' && !pending) onSave(name.trim())
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form aria-label={title} faults={fault ? { name: fault } : {}} onSubmit={submit}>
        {hint && <Text c="dimmed">{hint}</Text>}
        <TextInput
          label={words.name}
          description={words.nameHint}
          maxLength={100}
          required
          data-autofocus
          value={name}
          error={fault}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" loading={pending}>
          {words.save}
        </Button>
      </Form>
    </Dialog>
  )
}

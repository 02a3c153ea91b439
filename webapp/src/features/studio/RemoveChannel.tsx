import { Button, Group, Paper, Text, TextInput, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { Dialog } from '../../ui/Dialog'
import { Form } from '../../ui/Form'
import { removeMutation } from './mutations'

const words = studio.edit

/** Deletes a channel, after its name was typed. */
export function RemoveChannel({ channel, onRemoved }: { channel: Channel; onRemoved: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <Paper withBorder p={16}>
      <Title order={2} size="h4" mb={4}>
        {words.remove}
      </Title>
      <Text c="dimmed" mb={12}>
        {words.removeText}
      </Text>
      <Button variant="default" color="danger" c="danger" onClick={() => setAsking(true)}>
        {words.remove}
      </Button>
      {asking && <Question channel={channel} onRemoved={onRemoved} onClose={() => setAsking(false)} />}
    </Paper>
  )
}

type QuestionProps = { channel: Channel; onRemoved: () => void; onClose: () => void }

function Question({ channel, onRemoved, onClose }: QuestionProps) {
  const remove = useMutation(removeMutation(channel))
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const submit = () => {
    const wrong = typed.trim() === channel.name.trim() ? undefined : words.removeType(channel.name)
    setFault(wrong)
    if (!wrong && !remove.isPending) remove.mutate(undefined, { onSuccess: onRemoved })
  }
  return (
    <Dialog title={words.removeQuestion(channel.name)} onClose={onClose}>
      <Form faults={fault ? { typed: fault } : {}} onSubmit={submit}>
        <Text c="dimmed">{words.removeText}</Text>
        <TextInput
          label={words.removeType(channel.name)}
          autoComplete="off"
          data-autofocus
          value={typed}
          error={fault}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" color="danger" loading={remove.isPending}>
            {words.remove}
          </Button>
        </Group>
      </Form>
    </Dialog>
  )
}

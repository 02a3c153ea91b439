import { Paper, Text, TextInput } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { keep } from '../../i18n/keep'
import { words } from '../../i18n/words'
import { faultsOf } from '../../lib/faults'
import { Confirm } from '../../ui/Confirm'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import { type Kept, keepMutation, keepsLess, keptBy, most } from './keeping'

const fields = [
  { name: 'keepDays', label: keep.days, hint: keep.daysHint },
  { name: 'keepCount', label: keep.count, hint: keep.countHint },
] as const

/** Changes how much a channel keeps. Asks first when that is less, because the rest is deleted. */
export function KeepForm({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const save = useMutation(keepMutation(channel))
  const before = keptBy(channel)
  const [kept, setKept] = useState(before)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const own = faultsIn(kept)
  const faults = { ...faultsOf(save.error, save.variables, kept), ...(tried && own) }

  const send = () => save.mutate(kept, { onSuccess: onClose })
  const submit = () => {
    setTried(true)
    if (save.isPending || Object.keys(own).length > 0) return
    if (keepsLess(kept, before)) setAsking(true)
    else send()
  }
  return (
    <Paper withBorder w="100%" p={16}>
      <Form aria-label={keep.form} faults={faults} onSubmit={submit}>
        <Text c="dimmed">{keep.text}</Text>
        {fields.map(({ name, label, hint }, index) => (
          <TextInput
            key={name}
            label={label}
            description={hint(most[name])}
            inputMode="numeric"
            maxLength={10}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a button was pressed to show it
            autoFocus={index === 0}
            value={kept[name] ?? ''}
            error={faults[name]}
            onChange={(event) => setKept({ ...kept, [name]: numberIn(event.currentTarget.value) })}
          />
        ))}
        <FormActions action={words.save} loading={save.isPending} onCancel={onClose} />
        {asking && (
          <Confirm
            question={keep.question}
            text={keep.consequence}
            action={keep.less}
            onClose={() => setAsking(false)}
            onConfirm={send}
          />
        )}
      </Form>
    </Paper>
  )
}

/** The digits of a text as a number, so that "1.000" is a thousand; `null` without any. */
function numberIn(text: string): number | null {
  const digits = text.replaceAll(/\D/g, '')
  return digits === '' ? null : Number(digits)
}

function faultsIn(kept: Kept) {
  const faults: Partial<Record<keyof Kept, string>> = {}
  for (const { name } of fields) {
    const value = kept[name]
    if (value !== null && (value < 1 || value > most[name])) faults[name] = keep.wrong(most[name])
  }
  return faults
}

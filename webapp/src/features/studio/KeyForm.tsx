import { NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { access } from '../../i18n/access'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'
import type { Permission } from './access-mutations'

const words = access.keys

type NewKey = { name: string; permission: Permission }
type Props = { create: UseMutationResult<unknown, Error, NewKey>; onDone: () => void }

/** Creates a key. */
export function KeyForm({ create, onDone }: Props) {
  const [key, setKey] = useState<NewKey>({ name: '', permission: 'publish' })
  const [tried, setTried] = useState(false)
  const name = key.name.trim()
  const faults = tried && name === '' ? { name: words.nameMissing } : {}
  const submit = () => {
    setTried(true)
    if (name !== '' && !create.isPending) create.mutate({ ...key, name }, { onSuccess: onDone })
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
        value={key.name}
        error={faults.name}
        onChange={({ currentTarget }) => setKey({ ...key, name: currentTarget.value })}
      />
      <NativeSelect
        label={words.may}
        data={Object.entries(words.permissions).map(([value, label]) => ({ value, label }))}
        value={key.permission}
        onChange={({ currentTarget }) => setKey({ ...key, permission: currentTarget.value as Permission })}
      />
      <FormActions action={words.create} loading={create.isPending} onCancel={onDone} />
    </Form>
  )
}

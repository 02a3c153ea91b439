import { Button, TextInput } from '@mantine/core'
import type { Passkey } from '@sininho/sdk'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeys } from '../../i18n/passkeys'
import { words } from '../../i18n/words'
import { agoLabel, dateLabel } from '../../lib/spans'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import { removePasskeyMutation, renamePasskeyMutation } from './passkeys'

type Props = { passkey: Passkey; removable: boolean; onRemove: () => void }

const texts = passkeys.own

export function PasskeyRow({ passkey, removable, onRemove }: Props) {
  const { id, name, createdAt, usedAt } = passkey
  const remove = useMutation(removePasskeyMutation())
  const [renaming, setRenaming] = useState(false)
  const removing = {
    label: texts.remove,
    name: texts.removeName(name),
    question: texts.removeQuestion(name),
    text: texts.removeText,
    pending: remove.isPending,
    onConfirm: () => {
      onRemove()
      remove.mutate(id)
    },
  }
  return (
    <Row icon={<IconKey />} name={name} end={removable && !renaming ? removing : undefined}>
      <Meta sentence>
        {usedAt ? <Moment at={usedAt} label={(date) => texts.used(agoLabel(date))} /> : texts.unused}
        <Moment at={createdAt} label={(date) => texts.since(dateLabel(date))} />
      </Meta>
      {renaming ? (
        <NameForm passkey={passkey} onDone={() => setRenaming(false)} />
      ) : (
        <Button
          size="sm"
          variant="subtle"
          ms={-16}
          aria-label={texts.renameName(name)}
          onClick={() => setRenaming(true)}
        >
          {texts.rename}
        </Button>
      )}
    </Row>
  )
}

function NameForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useMutation(renamePasskeyMutation())
  const [name, setName] = useState(passkey.name)
  const missing = name.trim() === ''
  return (
    <Form
      gap={8}
      pt={8}
      aria-label={texts.renameName(passkey.name)}
      onSubmit={() => {
        if (missing) return
        if (name.trim() !== passkey.name) rename.mutate({ id: passkey.id, name: name.trim() })
        onDone()
      }}
    >
      <TextInput
        aria-label={texts.newName}
        maxLength={100}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={missing && texts.nameMissing}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormActions action={words.save} loading={false} onCancel={onDone} />
    </Form>
  )
}

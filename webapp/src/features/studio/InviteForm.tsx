import { NativeSelect } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { access } from '../../i18n/access'
import { faultsOf } from '../../lib/faults'
import { EmailField } from '../../ui/EmailField'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'

const words = access.people

type Invitation = { email: string; role: 'owner' | 'editor' }
type Props = { invite: UseMutationResult<unknown, Error, Invitation>; onDone: () => void }

/** Invites an address to publish. */
export function InviteForm({ invite, onDone }: Props) {
  const [invitation, setInvitation] = useState<Invitation>({ email: '', role: 'editor' })
  const [tried, setTried] = useState(false)
  const sent = { ...invitation, email: invitation.email.trim() }
  const missing = sent.email === ''
  const faults = {
    ...faultsOf(invite.error, invite.variables, sent),
    ...(tried && missing && { email: words.emailMissing }),
  }
  const submit = () => {
    setTried(true)
    if (!missing && !invite.isPending) invite.mutate(sent, { onSuccess: onDone })
  }
  return (
    <Form className={ui.ruled} aria-label={words.form} faults={faults} onSubmit={submit}>
      <EmailField
        label={words.email}
        description={words.emailHint}
        maxLength={254}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={invitation.email}
        error={faults.email}
        onChange={({ currentTarget }) => setInvitation({ ...invitation, email: currentTarget.value })}
      />
      <NativeSelect
        label={words.role}
        description={words.roleHints[invitation.role]}
        data={(['editor', 'owner'] as const).map((value) => ({ value, label: words.roles[value] ?? value }))}
        value={invitation.role}
        onChange={({ currentTarget }) => setInvitation({ ...invitation, role: currentTarget.value as 'editor' })}
      />
      <FormActions action={words.send} loading={invite.isPending} onCancel={onDone} />
    </Form>
  )
}

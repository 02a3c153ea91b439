import { NativeSelect, Switch, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChannelInvitationInput } from '../../data/channel-members'
import { channelMembers } from '../../i18n/channel-members'
import { faultsOf } from '../../lib/faults'
import { EmailField } from '../../ui/EmailField'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'
import { type Joining, faultsOfJoining, invitationOf } from './joining'

const words = channelMembers.invitations

type Props = {
  by: 'link' | 'email'
  invite: UseMutationResult<unknown, Error, ChannelInvitationInput>
  onDone: () => void
}

/** Makes an invitation to a private channel: a link for several people, or one that is sent to an address. */
export function JoinForm({ by, invite, onDone }: Props) {
  const [joining, setJoining] = useState<Joining>({
    email: by === 'email' ? '' : undefined,
    uses: '',
    days: by === 'email' ? '' : '7',
    approval: false,
  })
  const [tried, setTried] = useState(false)
  const change = (part: Partial<Joining>) => setJoining({ ...joining, ...part })
  const own = faultsOfJoining(joining)
  const body = invitationOf(joining)
  const faults = { ...faultsOf(invite.error, invite.variables, body), ...(tried && own) }
  const submit = () => {
    setTried(true)
    if (Object.keys(own).length === 0 && !invite.isPending) invite.mutate(body, { onSuccess: onDone })
  }
  return (
    <Form className={ui.ruled} aria-label={words.form} faults={faults} onSubmit={submit}>
      {by === 'email' ? (
        <EmailField
          label={words.email}
          description={words.emailHint}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
          autoFocus
          value={joining.email}
          error={faults.email}
          onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        />
      ) : (
        <>
          <TextInput
            label={words.uses}
            description={words.usesHint}
            inputMode="numeric"
            maxLength={7}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
            autoFocus
            value={joining.uses}
            error={faults.uses}
            onChange={({ currentTarget }) => change({ uses: currentTarget.value.trim() })}
          />
          <NativeSelect
            label={words.expiry}
            data={(['1', '7', '30', ''] as const).map((value) => ({ value, label: words.expiries[value] }))}
            value={joining.days}
            onChange={({ currentTarget }) => change({ days: currentTarget.value })}
          />
        </>
      )}
      <Switch
        label={words.approve}
        description={words.approveHint}
        checked={joining.approval}
        onChange={({ currentTarget }) => change({ approval: currentTarget.checked })}
      />
      <FormActions action={words.create} loading={invite.isPending} onCancel={onDone} />
    </Form>
  )
}

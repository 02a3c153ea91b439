import { Button, Paper, Text, TextInput } from '@mantine/core'
import { ApiError, type WaitlistEntryInput } from '@sininho/sdk'
import type { UseMutationResult } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { emailFault } from '../../lib/email'
import { faultsOf } from '../../lib/faults'
import { EmailField } from '../../ui/EmailField'
import { Form } from '../../ui/Form'
import { useOnline } from '../../ui/useOnline'
import { useWait } from '../../ui/useWait'
import classes from './waitlist.module.css'
import { keptReferral } from './referral'

type Props = {
  join: UseMutationResult<unknown, Error, WaitlistEntryInput>
  /** The form is shown again to join with another address. */
  again: boolean
  /** The field of the address. */
  field: Ref<HTMLInputElement>
}
type Faults = Partial<Record<keyof WaitlistEntryInput, string>>

export function JoinForm({ join, again, field }: Props) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const online = useOnline()
  const { until, waiting } = useWait(
    join.error instanceof ApiError ? join.error.retryAfter : undefined,
    join.submittedAt,
  )
  const entry = entryOf(email, name)
  const own = emailFault(entry.email, waitlist.join)
  const faults: Faults = { ...faultsOf(join.error, join.variables, entry), ...(tried && own && { email: own }) }

  const submit = () => {
    if (waiting || join.isPending) return
    setTried(true)
    if (!own) join.mutate(entry)
  }
  return (
    <Paper withBorder p={{ base: 0, sm: 24 }} className={classes.form}>
      <Form aria-label={waitlist.join.form} faults={faults} onSubmit={submit}>
        <EmailField
          ref={field}
          label={waitlist.join.email}
          placeholder={waitlist.join.example}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
          autoFocus={again}
          value={email}
          error={faults.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label={waitlist.join.name}
          autoComplete="given-name"
          maxLength={100}
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={join.isPending}
          // unlike a disabled button, it keeps the focus
          aria-disabled={waiting || undefined}
          data-disabled={waiting || undefined}
        >
          {waitlist.join.submit}
        </Button>
        <Text role="status" fz={15}>
          {!online && waitlist.join.offline}
          {online && waiting && until && waitlist.join.tooMany(until)}
        </Text>
        <Text variant="hint">{waitlist.join.note}</Text>
      </Form>
    </Paper>
  )
}

function entryOf(email: string, name: string): WaitlistEntryInput {
  const referralCode = keptReferral()
  return { email: email.trim(), ...(name.trim() && { name: name.trim() }), ...(referralCode && { referralCode }) }
}

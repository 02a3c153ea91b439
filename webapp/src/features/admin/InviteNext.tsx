import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { Confirm } from '../../ui/Confirm'
import { Form } from '../../ui/Form'
import { inviteMutation } from './mutations'

const most = 1000

/** Invites the next people in the list. */
export function InviteNext() {
  const invite = useMutation(inviteMutation())
  const [text, setText] = useState('10')
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const next = Number(text)
  const wrong = !Number.isInteger(next) || next < 1 || next > most
  return (
    <Form
      direction="row"
      wrap="wrap"
      align="flex-end"
      gap="8px 16px"
      aria-label={admin.waitlist.next}
      onSubmit={() => {
        setTried(true)
        setAsking(!wrong)
      }}
    >
      <TextInput
        flex="0 1 200px"
        label={admin.waitlist.next}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        value={text}
        error={tried && wrong && admin.waitlist.nextWrong}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={invite.isPending}>
        {admin.waitlist.invite}
      </Button>
      {asking && (
        <Confirm
          question={admin.waitlist.question(next)}
          text={admin.waitlist.questionText}
          action={admin.waitlist.send}
          onClose={() => setAsking(false)}
          onConfirm={() => invite.mutate({ next })}
        />
      )}
    </Form>
  )
}

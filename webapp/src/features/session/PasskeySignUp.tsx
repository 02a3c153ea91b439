import { Button, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeys } from '../../i18n/passkeys'
import { Form } from '../../ui/Form'
import { faultOf, type NewAccount, passkeySignUpMutation } from './passkeys'

/** Asks for a name, and creates an account with a passkey. */
export function PasskeySignUp(rest: Omit<NewAccount, 'name'>) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const signUp = useMutation(passkeySignUpMutation())
  const said = name.trim()
  const problem = signUp.data === null ? passkeys.notMade : faultOf(signUp.error)
  return (
    <Form
      gap={12}
      w="100%"
      ta="start"
      aria-label={passkeys.signUp}
      onSubmit={() => {
        setTried(true)
        if (said !== '') signUp.mutate({ ...rest, name: said })
      }}
    >
      <TextInput
        label={passkeys.name}
        description={passkeys.signUpText}
        autoComplete="name"
        maxLength={200}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed, or is all there is
        autoFocus
        value={name}
        error={tried && said === '' && passkeys.nameMissing}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth mih={48} loading={signUp.isPending || Boolean(signUp.data)}>
        {passkeys.create}
      </Button>
      {problem && <Text role="alert">{problem}</Text>}
    </Form>
  )
}

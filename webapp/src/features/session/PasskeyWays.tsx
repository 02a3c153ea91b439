import { Button, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeys } from '../../i18n/passkeys'
import { passkeysWork } from '../../lib/passkey'
import { PasskeySignUp } from './PasskeySignUp'
import { faultOf, passkeySignInMutation } from './passkeys'
import classes from './session.module.css'

type Props = {
  redirect: string
  invitation?: string
  /** New people may sign up. */
  open: boolean
}

/** Signing in with a passkey, and up with a new one. */
export default function PasskeyWays({ redirect, invitation, open }: Props) {
  const [joining, setJoining] = useState(false)
  const signIn = useMutation(passkeySignInMutation())
  if (!passkeysWork()) return <Text variant="hint">{passkeys.unsupported}</Text>
  const problem = signIn.data === null ? passkeys.dismissed : faultOf(signIn.error)
  return (
    <Stack gap={12}>
      <Button
        className={classes.provider}
        leftSection={<IconKey size={20} aria-hidden />}
        variant="default"
        fullWidth
        loading={signIn.isPending || Boolean(signIn.data)}
        onClick={() => signIn.mutate({ redirect })}
      >
        {passkeys.signIn}
      </Button>
      {problem && <Text role="alert">{problem}</Text>}
      {joining && <PasskeySignUp redirect={redirect} invitation={invitation} />}
      {open && !joining && (
        <Button size="sm" variant="subtle" fullWidth onClick={() => setJoining(true)}>
          {passkeys.signUp}
        </Button>
      )}
    </Stack>
  )
}

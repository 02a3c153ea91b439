import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { login } from '../../i18n/login'
import { emailFault } from '../../lib/email'
import { faultsOf } from '../../lib/faults'
import { EmailField } from '../../ui/EmailField'
import { Form } from '../../ui/Form'
import classes from './session.module.css'
import { beginEmailMutation } from './mutations'

type Props = {
  redirect: string
  invitation?: string
  /** What the browser follows without an account is saved in the account. */
  saving: boolean
}

/** Asks for the address to which a code is sent. */
export function EmailForm({ redirect, invitation, saving }: Props) {
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const navigate = useNavigate()
  const router = useRouter()
  const begin = useMutation(beginEmailMutation(saving))
  const to = email.trim()
  const own = emailFault(to, login.email)
  const sent = faultsOf(begin.error, begin.variables, { email: to, redirect, invitation })
  const fault = (tried && own) || sent.email
  return (
    <Form
      gap={12}
      w="100%"
      ta="start"
      faults={fault ? { email: fault } : undefined}
      onSubmit={() => {
        setTried(true)
        if (own) return
        begin.mutate(
          { email: to, redirect, invitation },
          {
            onSuccess: () =>
              void navigate({ to: '/login/code', state: { codeSentTo: to, codeAskedAt: router.state.location.href } }),
          },
        )
      }}
    >
      <EmailField
        label={login.email.label}
        placeholder={login.email.example}
        classNames={{ input: classes.field }}
        description={login.email.note}
        value={email}
        error={fault}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth mih={48} loading={begin.isPending}>
        {login.email.send}
      </Button>
    </Form>
  )
}

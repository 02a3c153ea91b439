import { Button, Menu } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { IconAt, IconBuilding, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addIdentityMutation, identityOf } from '../../data/identities'
import { authQuery } from '../../data/session'
import { settings } from '../../i18n/settings'
import { emailFault } from '../../lib/email'
import { faultsOf } from '../../lib/faults'
import { EmailField } from '../../ui/EmailField'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import { GoogleMark } from '../../ui/GoogleMark'
import ui from '../../ui/ui.module.css'

const texts = settings.identities
const here = '/settings/security'

/** What can be added. Where the installation offers Google alone, that is another account there. */
export function AddIdentity() {
  const { data } = useQuery(authQuery())
  const add = useMutation(addIdentityMutation(here))
  const [typing, setTyping] = useState(false)
  if (!data) return null
  if (typing) return <EmailForm onCancel={() => setTyping(false)} />
  const begin = (method: SignInMethod) => {
    if (method.kind === 'email') setTyping(true)
    else add.mutate(identityOf(method))
  }
  const look = {
    variant: 'default',
    leftSection: <IconPlus size={20} />,
    loading: add.isPending || add.isSuccess,
  } as const
  const methods = data.signInMethods.filter(({ kind }) => kind !== 'anonymous' && kind !== 'passkey')
  const [only, ...others] = methods
  if (!only) return null
  if (others.length === 0)
    return (
      <Button {...look} style={{ alignSelf: 'start' }} onClick={() => begin(only)}>
        {only.kind === 'email' ? texts.addEmail : texts.addOf(nameOf(only))}
      </Button>
    )
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button {...look}>{texts.add}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {methods.map((method) => (
          <Menu.Item key={nameOf(method)} leftSection={iconOf(method)} onClick={() => begin(method)}>
            {nameOf(method)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const nameOf = ({ kind, name }: SignInMethod) => (kind === 'email' ? texts.email : (name ?? 'Google'))

function iconOf({ kind }: SignInMethod) {
  if (kind === 'google') return <GoogleMark />
  return kind === 'email' ? <IconAt size={20} aria-hidden /> : <IconBuilding size={20} aria-hidden />
}

function EmailForm({ onCancel }: { onCancel: () => void }) {
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  const add = useMutation(addIdentityMutation(here))
  const to = email.trim()
  const sent = add.variables?.kind === 'email' ? { email: add.variables.email } : undefined
  const own = emailFault(to, texts)
  const fault = faultsOf(add.error, sent, { email: to }).email
  return (
    <Form
      className={ui.ruled}
      aria-label={texts.addEmail}
      onSubmit={() => {
        setTried(true)
        if (!own) add.mutate({ kind: 'email', email: to })
      }}
    >
      <EmailField
        label={texts.newEmail}
        description={texts.newEmailHint}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={email}
        error={(tried && own) || fault}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <FormActions action={texts.send} loading={add.isPending || add.isSuccess} onCancel={onCancel} />
    </Form>
  )
}

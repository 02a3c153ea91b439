import { TextInput } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { IconAt, IconBuilding, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authQuery } from '../../data/session'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { faultsOf } from '../../lib/faults'
import { Button } from '../../ui/Button'
import { GoogleMark } from '../../ui/GoogleMark'
import { Menu } from '../../ui/Menu'
import { addIdentityMutation } from './mutations'
import classes from './AccessTokens.module.css'

const texts = settings.identities

/** What can be added. Where the installation offers Google alone, that is another account there. */
export function AddIdentity() {
  const { data } = useQuery(authQuery())
  const add = useMutation(addIdentityMutation())
  const [typing, setTyping] = useState(false)
  if (!data) return null
  if (typing) return <EmailForm onCancel={() => setTyping(false)} />
  const begin = ({ kind, provider }: SignInMethod) => {
    if (kind === 'email') setTyping(true)
    else add.mutate(kind === 'oidc' ? { kind, provider: provider ?? '' } : { kind: 'google' })
  }
  const look = {
    variant: 'default',
    size: 'md',
    leftSection: <IconPlus size={20} />,
    loading: add.isPending || add.isSuccess,
  } as const
  const [only, ...others] = data.signInMethods
  if (!only) return null
  if (others.length === 0)
    return (
      <Button {...look} className={classes.create} onClick={() => begin(only)}>
        {only.kind === 'email' ? texts.addEmail : texts.addOf(nameOf(only))}
      </Button>
    )
  return (
    <Menu
      label={texts.add}
      items={data.signInMethods.map((method) => ({
        label: nameOf(method),
        icon: iconOf(method),
        onClick: () => begin(method),
      }))}
      renderButton={(props) => (
        <Button {...props} {...look}>
          {texts.add}
        </Button>
      )}
    />
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
  const add = useMutation(addIdentityMutation())
  const to = email.trim()
  const sent = add.variables?.kind === 'email' ? { email: add.variables.email } : undefined
  const fault = faultsOf(add.error, sent, { email: to }).email
  return (
    <form
      className={classes.form}
      aria-label={texts.addEmail}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (to !== '') add.mutate({ kind: 'email', email: to })
      }}
    >
      <TextInput
        label={texts.newEmail}
        description={texts.newEmailHint}
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={254}
        size="md"
        required
        withAsterisk={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={email}
        error={tried && to === '' ? texts.emailMissing : fault}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit" size="md" loading={add.isPending || add.isSuccess}>
          {texts.send}
        </Button>
        <Button variant="default" size="md" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}

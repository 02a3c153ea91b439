import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authQuery } from '../../data/session'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { faultsOf } from '../../lib/faults'
import { Button } from '../../ui/Button'
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
  const leaving = add.isPending || add.isSuccess
  return (
    <div className={classes.actions}>
      {data.signInMethods.map(({ kind, provider, name, url }) =>
        kind === 'email' ? (
          <Button key={url} variant="default" size="md" onClick={() => setTyping(true)}>
            {texts.addEmail}
          </Button>
        ) : (
          <Button
            key={url}
            variant="default"
            size="md"
            disabled={leaving}
            onClick={() => add.mutate(kind === 'oidc' ? { kind, provider: provider ?? '' } : { kind: 'google' })}
          >
            {texts.add(name ?? 'Google')}
          </Button>
        ),
      )}
    </div>
  )
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

import { Divider, Stack } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { addIdentityMutation, identityOf } from '../../data/identities'
import { login } from '../../i18n/login'
import { formatSearch } from '../../lib/search'
import { EmailForm } from './EmailForm'
import { ProviderButton } from './ProviderButton'
import classes from './session.module.css'

type Props = {
  providers: SignInMethod[]
  byEmail: boolean
  redirect: string
  invitation?: string
  /** What the browser follows without an account is saved in the account. */
  saving: boolean
  /** The address of the provider that is being opened. */
  leaving?: string
  onLeave: (url: string | undefined) => void
}

/** The providers, and a form for the address to which a code is sent. */
export function Ways({ providers, byEmail, redirect, invitation, saving, leaving, onLeave }: Props) {
  const save = useMutation({ ...addIdentityMutation(redirect), onError: () => onLeave(undefined) })
  const leave = (event: MouseEvent, method: SignInMethod) => {
    onLeave(method.url)
    if (!saving) return
    event.preventDefault() // only a request of this page can save
    save.mutate(identityOf(method))
  }
  return (
    <Stack gap={12} className={classes.ways}>
      {providers.map((method) => (
        <ProviderButton
          key={method.url}
          method={method}
          href={method.url + formatSearch({ redirect, invitation })}
          leaving={leaving === method.url}
          onLeave={(event) => leave(event, method)}
        />
      ))}
      {byEmail && providers.length > 0 && <Divider label={login.or} />}
      {byEmail && <EmailForm redirect={redirect} invitation={invitation} saving={saving} />}
    </Stack>
  )
}

import { Divider, Skeleton, Stack } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { addIdentityMutation, identityOf } from '../../data/identities'
import { login } from '../../i18n/login'
import { formatSearch } from '../../lib/search'
import { onDemand } from '../../ui/onDemand'
import { EmailForm } from './EmailForm'
import { ProviderButton } from './ProviderButton'
import classes from './session.module.css'

/** Few installations have it, and what it needs is not loaded by others. */
const PasskeyWays = onDemand(() => import('./PasskeyWays'), <Skeleton height={96} />)

type Props = {
  providers: SignInMethod[]
  byEmail: boolean
  byPasskey: boolean
  /** New people may sign up. */
  open: boolean
  redirect: string
  invitation?: string
  /** What the browser follows without an account is saved in the account. */
  saving: boolean
  /** The address of the provider that is being opened. */
  leaving?: string
  onLeave: (url: string | undefined) => void
}

/** The providers, passkeys, and a form for the address to which a code is sent. */
export function Ways(props: Props) {
  const { providers, byEmail, byPasskey, open, redirect, invitation, saving, leaving, onLeave } = props
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
      {byPasskey && <PasskeyWays redirect={redirect} invitation={invitation} open={open} />}
      {byEmail && (byPasskey || providers.length > 0) && <Divider label={login.or} />}
      {byEmail && <EmailForm redirect={redirect} invitation={invitation} saving={saving} />}
    </Stack>
  )
}

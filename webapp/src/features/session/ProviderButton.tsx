import { Button } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { IconBuilding } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { login } from '../../i18n/login'
import { GoogleMark } from '../../ui/GoogleMark'
import classes from './session.module.css'

type Props = { method: SignInMethod; href: string; leaving: boolean; onLeave: (event: MouseEvent) => void }

/** A link to sign in at a provider; Google's has the colours and texts that its branding rules require. */
export function ProviderButton({ method, href, leaving, onLeave }: Props) {
  const google = method.kind === 'google'
  const name = google ? 'Google' : (method.name ?? '')
  return (
    <Button
      component="a"
      href={href}
      onClick={onLeave}
      aria-busy={leaving}
      className={`${classes.provider} ${google ? classes.google : ''}`}
      leftSection={google ? <GoogleMark /> : <IconBuilding size={20} aria-hidden />}
      variant="default"
      fullWidth
    >
      {leaving ? login.pending(name) : google ? login.google : login.with(name)}
    </Button>
  )
}

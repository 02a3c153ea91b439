import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconAlertCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { pt } from '../../i18n/pt'
import { waitlistAnchor } from '../../lib/paths'
import { Card } from '../../ui/Card'
import { GoogleMark } from './GoogleMark'
import classes from './LoginCard.module.css'

type Props = {
  googleUrl: string
  /** The server's text about a failed sign-in. */
  error?: string
  /** Why the account is suspended, if the sign-in failed for that. */
  suspension?: string
  /** Where suspended people can ask. */
  support?: string
  ended?: boolean
  /** The visitor opened the link of an invitation. */
  invited?: boolean
  /** Only invited people may sign up. */
  byInvitation?: boolean
  /** There is a waiting list to ask for an invitation. */
  waitlist?: boolean
}

/** Sign-in with Google, with the colours and texts that its branding rules require. */
export function LoginCard({ googleUrl, error, suspension, support, ended, invited, byInvitation, waitlist }: Props) {
  const [leaving, setLeaving] = useState(false)
  // the browser's back button restores the page with the button still pending
  useEffect(() => {
    const back = () => setLeaving(false)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  return (
    <Card icon={<img src="/favicon.svg" alt="" width={56} height={56} />} title={pt.login.title}>
      <p className={classes.text}>{purpose(ended, invited && !error)}</p>
      {error && !leaving && (
        <p role="alert" className={classes.error}>
          <IconAlertCircle size={20} aria-hidden />
          <span>
            {reason(error, suspension)}
            {error === 'suspended' && support && (
              <>
                {' '}
                <a href={support}>{pt.login.support}</a>
              </>
            )}
          </span>
        </p>
      )}
      <Button
        component="a"
        href={googleUrl}
        onClick={() => setLeaving(true)}
        aria-busy={leaving}
        className={classes.google}
        leftSection={<GoogleMark />}
        variant="default"
        size="md"
        fullWidth
      >
        {leaving ? pt.login.pending : pt.login.google}
      </Button>
      <p className={classes.note}>{pt.login.note}</p>
      {byInvitation && waitlist && (!invited || error) && (
        <p className={classes.invitation}>
          {pt.login.byInvitation}{' '}
          <Link to="/" hash={waitlistAnchor}>
            {pt.login.waitlist}
          </Link>
        </p>
      )}
    </Card>
  )
}

function purpose(ended = false, invited = false): string {
  if (ended) return pt.login.ended
  return invited ? pt.login.invited : pt.login.text
}

/** The text about a failed sign-in. */
function reason(error: string, suspension?: string): string {
  if (error === 'suspended') return suspension ? pt.login.suspendedBecause(suspension) : pt.login.suspended
  return error === 'uninvited' ? pt.login.uninvited : pt.login.failed
}

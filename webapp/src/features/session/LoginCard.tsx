import { Divider, Flex, Stack, Text } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { login } from '../../i18n/login'
import { waitlistAnchor } from '../../lib/paths'
import { formatSearch } from '../../lib/search'
import { Card } from '../../ui/Card'
import { EmailForm } from './EmailForm'
import classes from './session.module.css'
import ui from '../../ui/ui.module.css'
import { OtherDevice } from './OtherDevice'
import { ProviderButton } from './ProviderButton'

type Props = {
  /** The ways to sign in, in the order in which they are shown. */
  methods: SignInMethod[]
  /** Where signing in leads. */
  redirect: string
  /** The token of an invitation that the visitor opened. */
  invitation?: string
  /** Why a sign-in failed. */
  error?: string
  /** Why the account is suspended, if the sign-in failed for that. */
  suspension?: string
  /** Where suspended people can ask. */
  support?: string
  ended?: boolean
  /** The name of the channel that the visitor wants to follow. */
  following?: string
  /** Only invited people may sign up. */
  byInvitation?: boolean
  /** There is a waiting list to ask for an invitation. */
  waitlist?: boolean
}

/** The ways to sign in that the installation offers. */
export function LoginCard({
  methods,
  redirect,
  invitation,
  error,
  suspension,
  support,
  ended,
  following,
  byInvitation,
  waitlist,
}: Props) {
  const [leaving, setLeaving] = useState<string>()
  // the browser's back button restores the page with the button still pending
  useEffect(() => {
    const back = () => setLeaving(undefined)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  const invited = invitation !== undefined
  const providers = methods.filter(({ kind }) => kind !== 'email')
  const byEmail = methods.length > providers.length
  return (
    <Card icon={<img src="/favicon.svg" alt="" width={56} height={56} />} title={login.title}>
      <Text c="dimmed">{purpose(ended, invited && !error, following)}</Text>
      {error && !leaving && (
        <Flex component="p" role="alert" gap={8} align="center" c="danger" fz={15} ta="start">
          <IconAlertCircle size={20} aria-hidden />
          <span>
            {reason(error, suspension)}
            {asksOperator(error) && support && (
              <>
                {' '}
                <a href={support}>{login.support}</a>
              </>
            )}
          </span>
        </Flex>
      )}
      <Stack gap={12} className={classes.ways}>
        {providers.map((method) => (
          <ProviderButton
            key={method.url}
            method={method}
            href={method.url + formatSearch({ redirect, invitation })}
            leaving={leaving === method.url}
            onLeave={() => setLeaving(method.url)}
          />
        ))}
        {byEmail && providers.length > 0 && <Divider label={login.or} />}
        {byEmail && <EmailForm redirect={redirect} invitation={invitation} />}
      </Stack>
      {!invited && <OtherDevice redirect={redirect} />}
      {!byEmail && <Text variant="hint">{login.note}</Text>}
      {byInvitation && waitlist && (!invited || error) && (
        <Text w="100%" fz={15} className={ui.ruled}>
          {login.byInvitation}{' '}
          <Link to="/" hash={waitlistAnchor}>
            {login.waitlist}
          </Link>
        </Text>
      )}
    </Card>
  )
}

function purpose(ended = false, invited = false, following?: string): string {
  if (ended) return login.ended
  if (following) return login.toFollow(following)
  return invited ? login.invited : login.text
}

/** Those who run the installation can change why the sign-in failed. */
const asksOperator = (error: string) => ['suspended', 'unverified', 'no_email'].includes(error)

/** The text about a failed sign-in. */
function reason(error: string, suspension?: string): string {
  if (error === 'suspended') return suspension ? login.suspendedBecause(suspension) : login.suspended
  if (error === 'known_address') return login.known
  if (error === 'unverified') return login.unverified
  if (error === 'no_email') return login.noEmail
  return error === 'uninvited' ? login.uninvited : login.failed
}

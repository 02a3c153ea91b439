import { Flex, Text } from '@mantine/core'
import type { SignInMethod } from '@sininho/sdk'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { login } from '../../i18n/login'
import { waitlistAnchor } from '../../lib/paths'
import { Card } from '../../ui/Card'
import ui from '../../ui/ui.module.css'
import { OtherDevice } from './OtherDevice'
import { Ways } from './Ways'

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
  /** What the browser follows without an account is saved in the account. */
  saving?: boolean
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
  saving = false,
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
  return (
    <Card
      icon={<img src="/favicon.svg" alt="" width={56} height={56} />}
      title={saving ? login.saveTitle : login.title}
    >
      <Text c="dimmed">{purpose({ saving, ended, invited: invited && !error, following })}</Text>
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
      <Ways
        providers={methods.filter(isProvider)}
        byEmail={methods.some(({ kind }) => kind === 'email')}
        byPasskey={methods.some(({ kind }) => kind === 'passkey')}
        open={!byInvitation || invited}
        redirect={redirect}
        invitation={invitation}
        saving={saving}
        leaving={leaving}
        onLeave={setLeaving}
      />
      {!invited && <OtherDevice redirect={redirect} />}
      {methods.every(({ kind }) => kind !== 'email' && kind !== 'passkey') && <Text variant="hint">{login.note}</Text>}
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

const isProvider = ({ kind }: SignInMethod) => kind === 'google' || kind === 'oidc'

type Purpose = Pick<Props, 'saving' | 'ended' | 'following'> & { invited: boolean }

function purpose({ saving, ended, invited, following }: Purpose): string {
  if (saving) return login.toSave
  if (ended) return login.ended
  if (following) return login.toFollow(following)
  return invited ? login.invited : login.text
}

/** Those who run the installation can change why the sign-in failed. */
const asksOperator = (error: string) => ['suspended', 'unverified', 'no_email'].includes(error)

/** The texts about failed sign-ins. */
const reasons: Record<string, string> = {
  suspended: login.suspended,
  known_address: login.known,
  unsaved: login.unsaved,
  full: login.full,
  unverified: login.unverified,
  no_email: login.noEmail,
  uninvited: login.uninvited,
}

const reason = (error: string, suspension?: string) =>
  error === 'suspended' && suspension ? login.suspendedBecause(suspension) : (reasons[error] ?? login.failed)

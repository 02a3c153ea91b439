import { Alert, Button, Skeleton, Text } from '@mantine/core'
import type { ReceivedChannelInvitation } from '@sininho/sdk'
import { IconEye, IconHourglass, IconMailX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { channelInvitationQuery } from '../../data/channel-invitations'
import { authQuery } from '../../data/session'
import { join } from '../../i18n/join'
import { words } from '../../i18n/words'
import { pageOf } from '../../lib/paths'
import { avatarOf, iconOf } from '../../lib/pictures'
import { Card } from '../../ui/Card'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { acceptMutation } from './mutations'

/** What an invitation to a private channel leads to, and the way in. `secret` is missing if no link was opened. */
export function Joining({ secret = '' }: { secret?: string }) {
  const query = useQuery({ ...channelInvitationQuery(secret), enabled: secret !== '' })
  if (!secret) return <Ended />
  return (
    <Loaded query={query} skeleton={<Skeleton height={420} maw={416} mt="8vh" mx="auto" radius={16} />}>
      {(invitation) => (invitation ? <Invitation invitation={invitation} secret={secret} /> : <Ended />)}
    </Loaded>
  )
}

function Invitation({ invitation, secret }: { invitation: ReceivedChannelInvitation; secret: string }) {
  const { channel, publisher, description, state } = invitation
  const picture = iconOf(channel, 'portrait') ?? avatarOf(publisher, 'portrait')
  return (
    <Card icon={<ChannelIcon icon={picture} name={channel.name} size={72} main />} title={channel.name}>
      <Text c="dimmed">{`${join.title}, ${words.channels.by(publisher.name)}`}</Text>
      {description && (
        <Text style={{ whiteSpace: 'pre-line' }} lineClamp={8} dir="auto">
          {description}
        </Text>
      )}
      {state === 'member' && <Member invitation={invitation} />}
      {state === 'requested' && <Requested publisher={publisher.name} />}
      {!state && <Answer invitation={invitation} secret={secret} />}
    </Card>
  )
}

/** Says who will see the reader's name, and joins. A visitor signs in first. */
function Answer({ invitation: { publisher, approval }, secret }: Parameters<typeof Invitation>[0]) {
  const { data: auth } = useQuery(authQuery())
  const navigate = useNavigate()
  const accept = useMutation(acceptMutation((joined) => navigate(pageOf(joined))))
  const way = approval ? 'ask' : 'enter'
  const me = auth?.subscriber?.anonymous === false ? auth.subscriber : undefined
  return (
    <>
      <Alert icon={<IconEye />} color="gray" w="100%" ta="start" c="var(--mantine-color-text)">
        {join.seen[way](publisher.name)}
      </Alert>
      {me ? (
        <>
          <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate(secret)}>
            {join[way]}
          </Button>
          <Text variant="hint">{join.as(me.name || (me.email ?? ''))}</Text>
        </>
      ) : (
        <>
          <LinkButton fullWidth to="/login" search={{ redirect: '/join' }}>
            {join.signIn}
          </LinkButton>
          <Text variant="hint">{join.signInText}</Text>
        </>
      )}
    </>
  )
}

const Member = ({ invitation: { channel } }: { invitation: ReceivedChannelInvitation }) => (
  <>
    <Text role="status">{join.member}</Text>
    <LinkButton fullWidth {...pageOf(channel)}>
      {join.open}
    </LinkButton>
  </>
)

const Requested = ({ publisher }: { publisher: string }) => (
  <Alert role="status" icon={<IconHourglass />} title={join.requested} w="100%" ta="start">
    {join.requestedText(publisher)}
  </Alert>
)

/** Says that the invitation has ended, or never was, and what to do. */
const Ended = () => (
  <Card icon={<IconMailX size={32} />} title={join.ended}>
    <Text role="alert" c="dimmed">
      {join.endedText}
    </Text>
    <LinkButton to="/channels" variant="default" fullWidth>
      {words.index.all}
    </LinkButton>
  </Card>
)

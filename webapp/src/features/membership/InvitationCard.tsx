import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReceivedMembershipInvitation } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { invitations } from '../../i18n/invitations'
import { dateLabel } from '../../lib/spans'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { acceptInvitationMutation, declineInvitationMutation } from './mutations'

type Props = { invitation: ReceivedMembershipInvitation; onAnswer: () => void; onJoin?: (name: string) => void }

/** Loads no picture, because its address would reveal to a stranger that the invitation was seen. */
export function InvitationCard({ invitation, onAnswer, onJoin }: Props) {
  const { id, publisher, role, invitedBy, expiresAt } = invitation
  const { name, slug } = publisher
  // with them, because the card may be gone before a call of mutate() is answered
  const accept = useMutation({
    ...acceptInvitationMutation(name),
    onSuccess: () => onJoin?.(name),
    onSettled: onAnswer,
  })
  const decline = useMutation({ ...declineInvitationMutation(), onSettled: onAnswer })
  return (
    <Paper component="li" withBorder p={{ base: 16, sm: '20px 24px' }}>
      <Stack gap={12}>
        <Group wrap="nowrap" gap={12}>
          <ChannelIcon name={name} size={48} />
          <div>
            <Title order={2} size="h3" dir="auto">
              {name}
            </Title>
            <Text variant="hint">{slug}</Text>
          </div>
        </Group>
        <div>
          <p>{invitations.to[role]?.(invitedBy?.name)}</p>
          <Meta sentence={!invitedBy}>
            {invitedBy?.email}
            <Moment at={expiresAt} label={(date) => invitations.expires(dateLabel(date))} />
          </Meta>
        </div>
        <Text variant="hint">{invitations.seen}</Text>
        <Group align="stretch" pt={4}>
          <Button
            aria-label={invitations.acceptOf(name)}
            loading={accept.isPending}
            disabled={decline.isPending}
            onClick={() => accept.mutate(id)}
          >
            {invitations.accept}
          </Button>
          <Button
            variant="default"
            aria-label={invitations.declineOf(name)}
            loading={decline.isPending}
            disabled={accept.isPending}
            onClick={() => decline.mutate(id)}
          >
            {invitations.decline}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

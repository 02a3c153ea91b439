import { Box, Button, Group } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconLink, IconMail, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChannelInvitation, sentInvitationsQuery } from '../../data/channel-members'
import { channelMembers } from '../../i18n/channel-members'
import { dateLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import { Secret } from '../../ui/Secret'
import ui from '../../ui/ui.module.css'
import { JoinForm } from './JoinForm'
import { isOver } from './joining'
import { inviteToChannelMutation, revokeChannelInvitationMutation } from './member-mutations'
import { Section } from './Section'

const words = channelMembers.invitations

/** The ways into a private channel. A new link is shown once. */
export function JoinInvitations({ channel }: { channel: Channel }) {
  const { data: sent = [] } = useQuery(sentInvitationsQuery(channel))
  const invite = useMutation(inviteToChannelMutation(channel))
  const [writing, setWriting] = useState<'link' | 'email'>()
  const { data: made } = invite
  return (
    <Section title={words.title}>
      {made?.url && (
        <Secret
          title={words.made}
          hint={made.email ? words.madeEmailHint : words.madeHint}
          secret={made.url}
          done={words.done}
          onDone={invite.reset}
        />
      )}
      <Box component="ul" className={ui.rows}>
        {sent.map((invitation) => (
          <InvitationRow key={invitation.id} channel={channel} invitation={invitation} />
        ))}
      </Box>
      {writing ? (
        <JoinForm by={writing} invite={invite} onDone={() => setWriting(undefined)} />
      ) : (
        <Group gap={8}>
          <Button variant="default" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setWriting('link')}>
            {words.byLink}
          </Button>
          <Button
            variant="default"
            leftSection={<IconMail size={20} aria-hidden />}
            onClick={() => setWriting('email')}
          >
            {words.byEmail}
          </Button>
        </Group>
      )}
    </Section>
  )
}

function InvitationRow({ channel, invitation }: { channel: Channel; invitation: ChannelInvitation }) {
  const { id, email, uses, maxUses, expiresAt, approval } = invitation
  const revoke = useMutation(revokeChannelInvitationMutation(channel))
  const name = email ?? words.link
  const over = isOver(invitation)
  const end = {
    label: words.revoke,
    name: words.revokeOf(name),
    question: words.revokeQuestion,
    text: words.revokeText,
    pending: revoke.isPending,
    onConfirm: () => revoke.mutate(id),
  }
  return (
    <Row icon={email ? <IconMail /> : <IconLink />} alike name={name} end={end}>
      <Meta>
        {words.used(uses, maxUses)}
        {over && words.over}
        {!over && expiresAt && <Moment at={expiresAt} label={(date) => words.until(dateLabel(date))} />}
        {approval && words.approval}
      </Meta>
    </Row>
  )
}

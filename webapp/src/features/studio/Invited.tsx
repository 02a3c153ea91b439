import { Box, Button, CopyButton, Text } from '@mantine/core'
import type { MembershipInvitation } from '@sininho/sdk'
import { IconMail, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pendingInvitationsQuery } from '../../data/publisher-access'
import { access } from '../../i18n/access'
import { words as common } from '../../i18n/words'
import { dateLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import ui from '../../ui/ui.module.css'
import { inviteMutation, withdrawInvitationMutation } from './access-mutations'
import { InviteForm } from './InviteForm'

const words = access.people

/** Who is invited to publish and has not answered, and a form to invite others. */
export function Invited({ publisher }: { publisher: string }) {
  const { data: invited = [] } = useQuery(pendingInvitationsQuery(publisher))
  const invite = useMutation(inviteMutation(publisher))
  const [writing, setWriting] = useState(false)
  return (
    <>
      {invited.length > 0 && (
        <div>
          <Text fw={600} mt={8}>
            {words.invited}
          </Text>
          <Box component="ul" className={ui.rows}>
            {invited.map((invitation) => (
              <InvitedRow key={invitation.id} publisher={publisher} invitation={invitation} />
            ))}
          </Box>
        </div>
      )}
      {writing ? (
        <InviteForm invite={invite} onDone={() => setWriting(false)} />
      ) : (
        <div>
          <Button variant="default" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setWriting(true)}>
            {words.invite}
          </Button>
        </div>
      )}
    </>
  )
}

function InvitedRow({ publisher, invitation }: { publisher: string; invitation: MembershipInvitation }) {
  const { id, email, role, url, expiresAt } = invitation
  const withdraw = useMutation(withdrawInvitationMutation(publisher))
  const end = {
    label: words.withdraw,
    name: words.withdrawOf(email),
    question: words.withdrawQuestion(email),
    text: words.withdrawText,
    pending: withdraw.isPending,
    onConfirm: () => withdraw.mutate(id),
  }
  return (
    <Row icon={<IconMail />} alike name={email} end={end}>
      <Meta>
        {words.roles[role]}
        <Moment at={expiresAt} label={(date) => words.until(dateLabel(date))} />
      </Meta>
      <CopyButton value={url}>
        {({ copy, copied }) => (
          <Button variant="subtle" size="sm" px={0} onClick={copy}>
            {copied ? common.copied : words.copy}
          </Button>
        )}
      </CopyButton>
    </Row>
  )
}

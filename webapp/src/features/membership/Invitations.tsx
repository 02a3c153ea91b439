import { Flex, Paper, Stack, Title } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { invitationsQuery } from '../../data/invitations'
import { meQuery } from '../../data/me'
import { invitations } from '../../i18n/invitations'
import { words } from '../../i18n/words'
import { focusHeading } from '../../lib/focus'
import { guidePath } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { InvitationCard } from './InvitationCard'

/** The invitations to be a member of a publisher. */
export function Invitations() {
  const query = useQuery({ ...invitationsQuery(), staleTime: 0 })
  const [joined, setJoined] = useState<string[]>([])
  return (
    <Stack>
      {joined.map((name) => (
        <Paper key={name} component="section" withBorder p={{ base: 16, sm: '20px 24px' }}>
          <Stack gap={12}>
            <Title order={2} size="h3">
              {invitations.next(name)}
            </Title>
            <p>
              {invitations.nextText} <Link to={guidePath}>{invitations.nextLink}</Link>
            </p>
          </Stack>
        </Paper>
      ))}
      <Loaded query={query} skeleton={<BlockSkeleton height={220} />}>
        {(list) =>
          list.length === 0 ? (
            joined.length === 0 && <Empty />
          ) : (
            <Flex component="ul" gap={16} direction="column">
              {list.map((invitation) => (
                <InvitationCard
                  key={invitation.id}
                  invitation={invitation}
                  onAnswer={focusHeading} // the buttons are about to disappear
                  onJoin={(name) => setJoined((names) => [...names, name])}
                />
              ))}
            </Flex>
          )
        }
      </Loaded>
    </Stack>
  )
}

/** People who have signed in with another address than the invited one can sign out in the settings. */
function Empty() {
  const { data: me } = useQuery(meQuery())
  return (
    <EmptyState icon={<IconMailOpened />} title={invitations.empty} text={me?.email && invitations.emptyText(me.email)}>
      <LinkButton to="/settings" variant="default">
        {words.nav.settings}
      </LinkButton>
    </EmptyState>
  )
}

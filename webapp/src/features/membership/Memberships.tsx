import { Flex, Group, Stack, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery } from '../../data/invitations'
import { myPublishersQuery } from '../../data/publishers'
import { memberships } from '../../i18n/memberships'
import { focusHeading } from '../../lib/focus'
import { guidePath } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { Beginning } from './Beginning'
import { InvitationCard } from './InvitationCard'
import { Membership } from './Membership'

/** The invitations that wait, and the publishers of which the person is a member, with what is suspended of them. */
export function Memberships() {
  const query = useQuery(myPublishersQuery())
  const { data: invited = [] } = useQuery(invitationsQuery())
  return (
    <Stack>
      {invited.length > 0 && (
        <Flex component="ul" gap={16} direction="column">
          {invited.map((invitation) => (
            // the buttons are about to disappear
            <InvitationCard key={invitation.id} invitation={invitation} onAnswer={focusHeading} />
          ))}
        </Flex>
      )}
      <Loaded query={query} skeleton={<BlockSkeleton height={120} />}>
        {(publishers) =>
          publishers.length === 0 ? (
            <Beginning />
          ) : (
            <>
              <Title order={2} m="8px 0 4px" size="h3">
                {memberships.title}
              </Title>
              {publishers.map((publisher) => (
                <Membership key={publisher.id} publisher={publisher} />
              ))}
              <Group>
                <LinkButton to="/new" variant="default" leftSection={<IconPlus size={20} aria-hidden />}>
                  {memberships.create}
                </LinkButton>
                <LinkButton to={guidePath} variant="subtle" px={12}>
                  {memberships.how}
                </LinkButton>
              </Group>
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

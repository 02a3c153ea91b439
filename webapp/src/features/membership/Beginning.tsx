import { Button, Group } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useMayCreatePublishers } from '../../data/useSignedIn'
import { env } from '../../env'
import { memberships } from '../../i18n/memberships'
import { guidePath } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { LinkButton } from '../../ui/LinkButton'
import { onDemand } from '../../ui/onDemand'
import { BlockSkeleton } from '../../ui/skeletons'

const Asking = onDemand(() => import('./Asking'), <BlockSkeleton height={240} />)

/** How a person who is a member of no publisher begins to publish. */
export function Beginning() {
  const mayCreate = useMayCreatePublishers()
  if (!mayCreate) return env().PUBLISHERS === 'request' ? <Asking /> : <ByInvitation />
  return (
    <EmptyState icon={<IconSpeakerphone />} title={memberships.empty} text={memberships.emptyText}>
      <Group justify="center">
        <LinkButton to="/new" leftSection={<IconPlus size={20} aria-hidden />}>
          {memberships.create}
        </LinkButton>
        <LinkButton to={guidePath} variant="subtle">
          {memberships.how}
        </LinkButton>
      </Group>
    </EmptyState>
  )
}

/** Where only operators create publishers: whom to ask. */
function ByInvitation() {
  const { SUPPORT_URL } = env()
  return (
    <EmptyState icon={<IconSpeakerphone />} title={memberships.invited} text={memberships.invitedText}>
      {SUPPORT_URL && (
        <Button component="a" href={SUPPORT_URL}>
          {memberships.ask}
        </Button>
      )}
    </EmptyState>
  )
}

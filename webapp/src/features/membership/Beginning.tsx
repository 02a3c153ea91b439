import { Button, Group } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { memberships } from '../../i18n/memberships'
import { EmptyState } from '../../ui/EmptyState'
import { LinkButton } from '../../ui/LinkButton'

/** How a person who is a member of no publisher begins to publish. */
export const Beginning = () => (
  <EmptyState icon={<IconSpeakerphone />} title={memberships.empty} text={memberships.emptyText}>
    <Group justify="center">
      <LinkButton to="/new" leftSection={<IconPlus size={20} aria-hidden />}>
        {memberships.create}
      </LinkButton>
      <Button component="a" href="/docs/publish" variant="subtle">
        {memberships.how}
      </Button>
    </Group>
  </EmptyState>
)

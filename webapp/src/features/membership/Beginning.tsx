import { Button, Group, List } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memberships } from '../../i18n/memberships'
import { EmptyState } from '../../ui/EmptyState'

/** How a person who is a member of no publisher begins to publish. */
export function Beginning() {
  return (
    <EmptyState icon={<IconSpeakerphone />} title={memberships.empty} text={memberships.emptyText}>
      <List type="ordered" maw="44ch" mb={16} spacing={8} ta="start">
        {memberships.steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Group align="stretch" justify="center">
        <Button component="a" href="/docs/publish">
          {memberships.how}
        </Button>
        <Button component={Link} to="/demo" variant="subtle">
          {memberships.demo}
        </Button>
      </Group>
    </EmptyState>
  )
}

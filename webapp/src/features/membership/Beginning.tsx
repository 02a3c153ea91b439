import { IconSpeakerphone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memberships } from '../../i18n/memberships'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import classes from './Memberships.module.css'

/** How a person who is a member of no publisher begins to publish. */
export function Beginning() {
  return (
    <EmptyState icon={<IconSpeakerphone />} title={memberships.empty} text={memberships.emptyText}>
      <ol className={classes.steps}>
        {memberships.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className={classes.actions}>
        <Button component="a" href="/docs/publish" size="md">
          {memberships.how}
        </Button>
        <Button component={Link} to="/demo" size="md" variant="subtle">
          {memberships.demo}
        </Button>
      </div>
    </EmptyState>
  )
}

import { Button } from '@mantine/core'
import { IconShieldCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { admin } from '../../i18n/admin'

/** Leads operators to their screens. Loaded only for them. */
export default function AdminLink() {
  return (
    <Button
      renderRoot={(props) => <Link {...props} to="/admin/$" params={{ _splat: '' }} />}
      variant="default"
      size="md"
      leftSection={<IconShieldCog size={20} />}
    >
      {admin.open}
    </Button>
  )
}

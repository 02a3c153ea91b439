import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { receive } from '../../i18n/receive'

/** Leads to saving what is followed without an account. */
export function SaveButton() {
  return (
    <Button
      size="sm"
      variant="light"
      justify="flex-start"
      leftSection={<IconUserPlus />}
      renderRoot={(props) => <Link {...props} to="/login" search={{ redirect: '/settings' }} />}
    >
      {receive.save}
    </Button>
  )
}

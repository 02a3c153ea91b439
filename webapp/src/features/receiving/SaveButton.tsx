import { IconUserPlus } from '@tabler/icons-react'
import { receive } from '../../i18n/receive'
import { LinkButton } from '../../ui/LinkButton'

/** Leads to saving what is followed without an account. */
export function SaveButton() {
  return (
    <LinkButton
      size="sm"
      variant="light"
      justify="flex-start"
      leftSection={<IconUserPlus />}
      to="/login"
      search={{ redirect: '/settings' }}
    >
      {receive.save}
    </LinkButton>
  )
}

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import { waitlist } from '../../i18n/waitlist'
import { formAnchor } from './anchor'

/** For who is in the list no more: the way to its form, while there is one. */
export function Back() {
  return env().WAITLIST === 'open' ? (
    <Button component={Link} to="/" hash={formAnchor} variant="default" size="md" fullWidth>
      {waitlist.place.joinAgain}
    </Button>
  ) : (
    <Button component={Link} to="/" variant="default" size="md" fullWidth>
      {pt.notFound.home}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { env } from '../../env'
import { words } from '../../i18n/words'
import { waitlist } from '../../i18n/waitlist'
import { waitlistAnchor } from '../../lib/paths'

/** For people who left the waiting list: links to its form while the list is open, otherwise to the first screen. */
export function Back() {
  return env().WAITLIST === 'open' ? (
    <Button component={Link} to="/" hash={waitlistAnchor} variant="default" fullWidth>
      {waitlist.place.joinAgain}
    </Button>
  ) : (
    <Button component={Link} to="/" variant="default" fullWidth>
      {words.notFound.home}
    </Button>
  )
}

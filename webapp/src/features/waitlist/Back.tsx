import { env } from '../../env'
import { words } from '../../i18n/words'
import { waitlist } from '../../i18n/waitlist'
import { waitlistAnchor } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'

/** For people who left the waiting list: links to its form while the list is open, otherwise to the first screen. */
export function Back() {
  return env().WAITLIST === 'open' ? (
    <LinkButton to="/" hash={waitlistAnchor} variant="default" fullWidth>
      {waitlist.place.joinAgain}
    </LinkButton>
  ) : (
    <LinkButton to="/" variant="default" fullWidth>
      {words.notFound.home}
    </LinkButton>
  )
}

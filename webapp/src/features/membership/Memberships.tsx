import { useQuery } from '@tanstack/react-query'
import { invitationsQuery } from '../../data/invitations'
import { myPublishersQuery } from '../../data/publishers'
import { memberships } from '../../i18n/memberships'
import { words } from '../../i18n/words'
import { focusHeading } from '../../lib/focus'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { Beginning } from './Beginning'
import { InvitationCard } from './InvitationCard'
import { Membership } from './Membership'
import classes from './Memberships.module.css'

/** The invitations that wait, and the publishers of which the person is a member, with what is suspended of them. */
export function Memberships() {
  const query = useQuery(myPublishersQuery())
  const { data: invited = [] } = useQuery(invitationsQuery())
  return (
    <div className={classes.panel}>
      {invited.length > 0 && (
        <ul className={classes.panel}>
          {invited.map((invitation) => (
            // the buttons are about to disappear
            <InvitationCard key={invitation.id} invitation={invitation} onAnswer={focusHeading} />
          ))}
        </ul>
      )}
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={120} />}>
        {(publishers) =>
          publishers.length === 0 ? (
            <Beginning />
          ) : (
            <>
              <h2 className={classes.heading}>{memberships.title}</h2>
              {publishers.map((publisher) => (
                <Membership key={publisher.id} publisher={publisher} />
              ))}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

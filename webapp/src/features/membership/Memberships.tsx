import { useQuery } from '@tanstack/react-query'
import { myPublishersQuery } from '../../data/publishers'
import { memberships } from '../../i18n/memberships'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import InvitationNotice from './InvitationNotice'
import { Membership } from './Membership'
import classes from './Memberships.module.css'

/** The publishers of which the person is a member, with their channels and what is suspended of them. */
export function Memberships() {
  const query = useQuery(myPublishersQuery())
  return (
    <div className={classes.panel}>
      <InvitationNotice />
      <p className={classes.text}>{memberships.text}</p>
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={120} />}>
        {(publishers) =>
          publishers.length === 0 ? (
            <p>
              {memberships.empty} <a href="/docs/publish">{memberships.how}</a>
            </p>
          ) : (
            publishers.map((publisher) => <Membership key={publisher.id} publisher={publisher} />)
          )
        }
      </Loaded>
    </div>
  )
}

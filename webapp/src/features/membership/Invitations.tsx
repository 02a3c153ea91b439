import { IconMailOpened } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { invitationsQuery } from '../../data/invitations'
import { meQuery } from '../../data/me'
import { invitations } from '../../i18n/invitations'
import { words } from '../../i18n/words'
import { focusHeading } from '../../lib/focus'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { InvitationCard } from './InvitationCard'
import classes from './Invitations.module.css'

/** The invitations to be a member of a publisher. */
export function Invitations() {
  const query = useQuery({ ...invitationsQuery(), staleTime: 0 })
  const [joined, setJoined] = useState<string[]>([])
  return (
    <div className={classes.list}>
      {joined.map((name) => (
        <section key={name} className={classes.card}>
          <h2 className={classes.name}>{invitations.next(name)}</h2>
          <p>
            {invitations.nextText} <a href="/docs/publish">{invitations.nextLink}</a>
          </p>
        </section>
      ))}
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={220} />}>
        {(list) =>
          list.length === 0 ? (
            joined.length === 0 && <Empty />
          ) : (
            <ul className={classes.list}>
              {list.map((invitation) => (
                <InvitationCard
                  key={invitation.id}
                  invitation={invitation}
                  onAnswer={focusHeading} // the buttons are about to disappear
                  onJoin={(name) => setJoined((names) => [...names, name])}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

/** People who have signed in with another address than the invited one can sign out in the settings. */
function Empty() {
  const { data: me } = useQuery(meQuery())
  return (
    <EmptyState icon={<IconMailOpened />} title={invitations.empty} text={me && invitations.emptyText(me.email)}>
      <Button component={Link} to="/settings" variant="default" size="md">
        {words.nav.settings}
      </Button>
    </EmptyState>
  )
}

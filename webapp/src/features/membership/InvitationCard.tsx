import type { ReceivedMembershipInvitation } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { invitations } from '../../i18n/invitations'
import { dateLabel } from '../../lib/dates'
import { Button } from '../../ui/Button'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Meta } from '../../ui/Meta'
import classes from './Invitations.module.css'
import { acceptInvitationMutation, declineInvitationMutation } from './mutations'

type Props = { invitation: ReceivedMembershipInvitation; onAnswer: () => void; onJoin?: (name: string) => void }

/** Loads no picture, because its address would reveal to a stranger that the invitation was seen. */
export function InvitationCard({ invitation: { id, publisher, role, invitedBy, expiresAt }, ...on }: Props) {
  const { name, slug } = publisher
  const accept = useMutation(acceptInvitationMutation(name))
  const decline = useMutation(declineInvitationMutation())
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <ChannelIcon name={name} size={48} />
        <div>
          <h2 className={classes.name} dir="auto">
            {name}
          </h2>
          <p className={classes.meta}>{slug}</p>
        </div>
      </div>
      <div>
        <p>{invitations.to[role]?.(invitedBy?.name)}</p>
        <Meta sentence={!invitedBy}>
          {invitedBy?.email}
          {invitations.expires(dateLabel(new Date(expiresAt)))}
        </Meta>
      </div>
      <p className={classes.meta}>{invitations.seen}</p>
      <div className={classes.buttons}>
        <Button
          size="md"
          aria-label={invitations.acceptOf(name)}
          loading={accept.isPending}
          disabled={decline.isPending}
          onClick={() => accept.mutate(id, { onSuccess: () => on.onJoin?.(name), onSettled: on.onAnswer })}
        >
          {invitations.accept}
        </Button>
        <Button
          size="md"
          variant="default"
          aria-label={invitations.declineOf(name)}
          loading={decline.isPending}
          disabled={accept.isPending}
          onClick={() => decline.mutate(id, { onSettled: on.onAnswer })}
        >
          {invitations.decline}
        </Button>
      </div>
    </li>
  )
}

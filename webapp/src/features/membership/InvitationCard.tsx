import type { ReceivedMembershipInvitation } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { invitations } from '../../i18n/invitations'
import { dateLabel } from '../../lib/dates'
import { Button } from '../../ui/Button'
import classes from './Invitations.module.css'
import { acceptInvitationMutation, declineInvitationMutation } from './mutations'

type Props = { invitation: ReceivedMembershipInvitation; onAnswer: () => void; onJoin?: (name: string) => void }

/** Loads no picture, because its address would reveal to a stranger that the invitation was seen. */
export function InvitationCard({ invitation: { id, publisher, role, invitedBy, expiresAt }, ...on }: Props) {
  const { name, slug, description } = publisher
  const accept = useMutation(acceptInvitationMutation(name))
  const decline = useMutation(declineInvitationMutation())
  return (
    <li className={classes.card}>
      <div>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.meta}>{slug}</p>
      </div>
      {description && <p className={classes.meta}>{description}</p>}
      <p>{invitedBy ? invitations.from(invitedBy.name, invitedBy.email) : invitations.fromNobody}</p>
      <p>{invitations.roles[role]}</p>
      <p className={classes.meta}>
        {invitations.seen} {invitations.expires(dateLabel(new Date(expiresAt)))}
      </p>
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

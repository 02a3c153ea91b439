import type { invitations as original } from '../invitations'
import type { Translation } from '../translation'
import { number } from './words'

/** The texts of membership invitations, separate so that the first screen does not load them. */
export const invitations = {
  title: 'Invitations',
  notice: (count: number) =>
    count === 1 ? 'You have an invitation waiting' : `You have ${number(count)} invitations waiting`,
  /** By role, with the name of whoever invites. */
  to: {
    editor: (by?: string) =>
      by
        ? `${by} invites you to publish and manage the channels.`
        : 'You’re invited to publish and manage the channels.',
    owner: (by?: string) =>
      by
        ? `${by} invites you to be an owner: publish, manage the channels and decide who else can join.`
        : 'You’re invited to be an owner: publish, manage the channels and decide who else can join.',
  },
  seen: 'If you accept, the other members will see your name, email and photo.',
  expires: (date: string) => `you can respond until ${date}`,
  accept: 'Accept',
  acceptOf: (name: string) => `Accept the invitation from ${name}`,
  decline: 'Decline',
  declineOf: (name: string) => `Decline the invitation from ${name}`,
  accepted: (name: string) => `You’re now a member of ${name}.`,
  declined: 'Invitation declined.',
  next: (name: string) => `You’re now a member of ${name}`,
  nextText: 'Write under “Publish”, in the browser.',
  nextLink: 'How to publish',
  empty: 'No invitations waiting',
  emptyText: (email: string) =>
    `You’re signed in as ${email}. An invitation appears only when you sign in with the address it was sent to; you can sign out in Settings and sign in with another account.`,
} satisfies Translation<typeof original>

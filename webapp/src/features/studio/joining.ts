import type { ChannelInvitation, ChannelInvitationInput } from '../../data/channel-members'
import { channelMembers } from '../../i18n/channel-members'
import { dayMs } from '../../lib/dates'
import { isPast } from '../../lib/spans'

const words = channelMembers.invitations

/** What is asked of a new invitation. A link has no address; `uses` and `days` are '' for any number. */
export type Joining = { email?: string; uses: string; days: string; approval: boolean }

/** The most people that one link can be for. */
const most = 1_000_000

/** What can be known to be wrong before an invitation is made, by field. */
export function faultsOfJoining({ email, uses }: Joining): { email?: string; uses?: string } {
  const count = Number(uses)
  return {
    ...(email?.trim() === '' && { email: words.emailMissing }),
    ...(uses !== '' && !(Number.isInteger(count) && count >= 1 && count <= most) && { uses: words.usesWrong }),
  }
}

/** The body that makes an invitation. */
export const invitationOf = ({ email, uses, days, approval }: Joining, now = new Date()): ChannelInvitationInput => ({
  ...(email && { email: email.trim() }),
  ...(uses && { maxUses: Number(uses) }),
  ...(days && { expiresAt: new Date(now.getTime() + Number(days) * dayMs).toISOString() }),
  approval,
})

/** Whether nobody more can join by an invitation. */
export const isOver = ({ uses, maxUses, expiresAt }: ChannelInvitation, now = new Date()) =>
  (maxUses !== undefined && uses >= maxUses) || (expiresAt !== undefined && isPast(new Date(expiresAt), now))

import type { memberships as original } from '../memberships'
import type { Translation } from '../translation'

/** The texts about the publishers of which a person is a member. */
export const memberships = {
  text: 'The publishers you’re a member of, and their channels. What operators suspend appears here, with the reason.',
  roles: { owner: 'You’re an owner', editor: 'You can publish' },
  suspended: (reason: string) => `Suspended: ${reason}`,
  noChannels: 'No channels yet.',
  empty: 'You’re not a member of any publisher. To publish, create one or accept an invitation.',
  how: 'How to publish',
} as const satisfies Translation<typeof original>

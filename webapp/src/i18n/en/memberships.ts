import type { memberships as original } from '../memberships'
import type { Translation } from '../translation'

/** The texts about the publishers of which a person is a member. */
export const memberships = {
  title: 'Channels you manage',
  roles: { owner: 'Owner', editor: 'Can publish' },
  suspended: (reason: string) => `Suspended: ${reason}`,
  stored: (used: string, quota?: string) => (quota === undefined ? `Stores ${used}.` : `Stores ${used} of ${quota}.`),
  almostFull:
    'When it is full, nothing more is published: keep notifications for a shorter time, delete channels, or ask the operator of the server for more.',
  noChannels: 'No channels yet.',
  empty: 'Have something to announce?',
  emptyText: 'Create a channel and write: whoever follows it gets it at once.',
  invited: 'Publishing here is by invitation',
  invitedText:
    'The operator of this server chooses who publishes. Ask them for an invitation, or ask a publisher to invite you to theirs.',
  ask: 'Ask for an invitation',
  request: 'Ask to publish',
  create: 'Create a channel',
  write: 'Write',
  writeIn: (channel: string) => `Write in ${channel}`,
  how: 'How to publish',
  demo: 'See the demo',
} as const satisfies Translation<typeof original>

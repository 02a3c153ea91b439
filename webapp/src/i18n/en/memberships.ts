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
  emptyText: 'Anyone can create a channel and publish to it:',
  steps: [
    'Install the command line and sign in with your account.',
    'Create a publisher and its first channel.',
    'Publish with a command, with the API, or from another system through a webhook.',
  ],
  how: 'How to publish',
  demo: 'See the demo',
} as const satisfies Translation<typeof original>

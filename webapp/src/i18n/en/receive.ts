import type { receive as original } from '../receive'
import type { Translation } from '../translation'

/** The texts of receiving a channel, with an account or without one. */
export const receive = {
  action: 'Get notified',
  actionName: (channel: string) => `Get notified by ${channel}`,
  without: 'No account needed, in this browser only.',
  account: 'I have an account',
  ready: 'One tap is left: notifications then reach this device.',
  steps: 'On an iPhone or iPad it takes two steps:',
  after: 'Open Sininho from there: it brings this channel and asks.',

  save: 'Save to my account',
  onlyHere: 'What you follow is in this browser only.',
  more: 'See more channels that you may like',
} as const satisfies Translation<typeof original>

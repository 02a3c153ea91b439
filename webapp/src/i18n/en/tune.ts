import type { tune as original } from '../tune'
import type { Translation } from '../translation'

/** The texts of hearing less of a channel, where its notifications are. */
export const tune = {
  mute: 'Mute until…',
  question: (count: number, channel: string) => `${count} unread from ${channel}. Too many?`,
  digest: 'Put in a digest',
  keep: 'It’s fine',
  important: (channel: string) => `${channel} only rings for what is important.`,
  digested: (channel: string) => `${channel} comes in a daily digest. What is important still rings.`,
  muted: (channel: string, until: string) => `${channel} doesn’t ring until ${until}.`,
} as const satisfies Translation<typeof original>

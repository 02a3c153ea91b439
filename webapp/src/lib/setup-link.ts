import { type Language, languages } from './language'
import { type ChannelAddress, formatChannel, parseChannel } from './paths'

/** What a link sets a phone up with, for somebody else. */
export type Setup = { channels: ChannelAddress[]; language?: Language; large: boolean }

/** The search parameters of the link. */
export type SetupSearch = { channels?: string; language?: Language; text?: 'large' }

/** Channels of a link: more would be followed unseen. */
export const maxSetupChannels = 10

/** Reads a link's parameters, and leaves out what is none of them. */
export function parseSetup({ channels, language, text }: Record<string, unknown>): Setup {
  const addresses = typeof channels === 'string' ? channels.split(',').flatMap((each) => parseChannel(each) ?? []) : []
  return {
    channels: addresses.slice(0, maxSetupChannels),
    language: typeof language === 'string' && Object.hasOwn(languages, language) ? (language as Language) : undefined,
    large: text === 'large',
  }
}

export const searchOfSetup = ({ channels, language, large }: Setup): SetupSearch => ({
  channels: channels.map(formatChannel).join(',') || undefined,
  language,
  text: large ? 'large' : undefined,
})

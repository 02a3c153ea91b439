/**
 * A path within the app to go back to: begins with one "/", which neither "/" nor "\" follows, and has no control
 * characters, some of which browsers leave out of addresses. Else the fallback.
 */
export function safePath(path: unknown, fallback: string): string {
  return typeof path === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(path) ? path : fallback
}

/** A publisher's link, if it is one that may be opened. */
export function safeLink(link: string | undefined): URL | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const url = new URL(link)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

/** publisherSlug/channelSlug, as it stands in addresses and messages. */
export type ChannelAddress = { publisherSlug: string; slug: string }

const address = /^([a-z0-9]+(?:-[a-z0-9]+)*)\/([a-z0-9]+(?:-[a-z0-9]+)*)$/

export const formatChannel = ({ publisherSlug, slug }: ChannelAddress) => `${publisherSlug}/${slug}`

export function parseChannel(text: unknown): ChannelAddress | undefined {
  const match = typeof text === 'string' ? address.exec(text) : null
  return match ? { publisherSlug: match[1]!, slug: match[2]! } : undefined
}

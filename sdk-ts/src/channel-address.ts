/** The slugs of a channel. */
export type ChannelPath = { publisherSlug: string; channelSlug: string }

/** Returns the slugs of `publisher/channel`. Throws a `TypeError` for anything else. */
export function channelPath(address: string): ChannelPath {
  const [publisherSlug, channelSlug, ...rest] = address.split('/')
  if (!publisherSlug || !channelSlug || rest.length > 0) {
    throw new TypeError(`A channel is publisher/channel, such as acme/deploys, not ${JSON.stringify(address)}`)
  }
  return { publisherSlug, channelSlug }
}

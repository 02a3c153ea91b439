import type { ChannelAddress } from '../../lib/paths'

/** The unlisted channel that the demo webhook publishes to, made by `sininho-server migrate`. */
export const demoChannel: ChannelAddress = { publisherSlug: 'demo', slug: 'demonstracao' }

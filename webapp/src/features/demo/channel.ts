import type { ChannelAddress } from '../../lib/paths'

/** The unlisted channel of the demo webhook, created by `sininho-server migrate`. */
export const demoChannel: ChannelAddress = { publisherSlug: 'demo', slug: 'demonstracao' }

import type { ChannelRef } from '@sininho/sdk'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { formatChannel } from '../lib/paths'

/**
 * Drops whatever is cached of a channel, so that it is not kept for the next visit either, and fetches again what is on
 * the screen. `but` is the key of a query that is not touched.
 */
export function forgetChannel(client: QueryClient, channel: ChannelRef, but?: QueryKey) {
  const { id, publisherSlug, slug } = channel
  const marks = [id, JSON.stringify(formatChannel(channel)), JSON.stringify([publisherSlug, slug]).slice(1, -1)]
  const names = ({ queryKey, state: { data } }: Query) => {
    const text = JSON.stringify([queryKey, data])
    return queryKey[0] !== but?.[0] && marks.some((mark) => text.includes(mark))
  }
  // a reset brings back what a query began with, which may be of the channel too
  client.removeQueries({ predicate: names, type: 'inactive' })
  void client.resetQueries({ predicate: names })
  void closeShown(channel).catch(() => undefined)
}

/** Closes the channel's system notifications, by code that only the signed in have loaded. */
async function closeShown(channel: ChannelRef) {
  const { closeAllShown } = await import('../lib/push/shown')
  await closeAllShown(formatChannel(channel))
}

import type { ChannelRef, Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { api, call } from '../../lib/api'
import type { GroupDeeds } from './cards'
import { archiveMutation, readAllMutation, undoable } from './mutations'

/** What is done with all that a channel has unread. `count` is how many these are, and `group` what is loaded. */
export function useGroupDeeds(channel: ChannelRef, group: readonly Notification[], count: number): GroupDeeds {
  const { mutate: readAll } = useMutation(readAllMutation())
  const { mutate: archive } = useMutation(archiveMutation())
  return {
    read: () => {
      const ids = group.filter(({ readAt }) => !readAt).map(({ id }) => id)
      readAll({ channelId: channel.id, unread: ids.length === count && count <= undoable ? ids : [] })
    },
    archive: async () => {
      // without a connection, what is loaded
      const all = count > group.length ? await unreadOf(channel).catch(() => group) : group
      const ids = all.filter(({ importance }) => importance !== 'important').map(({ id }) => id)
      archive({ ids, archived: true })
    },
  }
}

/** Returns the latest that is unread of a channel, as many as a page has. */
async function unreadOf({ id: channelId }: ChannelRef) {
  const query = { limit: 100, unread: true, channelId }
  return (await call(api().GET('/subscribers/notifications', { params: { query } }))).data
}

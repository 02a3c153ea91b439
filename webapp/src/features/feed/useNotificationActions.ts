import type { Notification } from '@sininho/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { unreadQuery } from '../../data/notifications'
import { shareMutation } from '../../data/share'
import { notificationPath } from '../../lib/paths'
import { archiveMutation, openMutation, readAllMutation, setReadMutation } from './mutations'

export type NotificationActions = {
  open: (id: string) => void
  setRead: (id: string, read: boolean) => void
  archive: (id: string, archived: boolean) => void
  /** Marks all that a channel has published as read. `unread` are the ids of what was not, if all are known. */
  readChannel: (channelId: string, unread: string[]) => void
  /** Archives what a channel has unread, but for what is important. `loaded` is what is known without a connection. */
  archiveChannel: (channelId: string, loaded: readonly Notification[]) => Promise<void>
  share: (notification: Notification) => void
  /** Reports the notification to the operators. Absent for visitors. */
  report?: (notification: Notification) => void
  /** Shows the notification beside the list. Absent where there is no room for that. */
  select?: (id: string) => void
}

/** Returns the actions on notifications. The object is stable as long as the arguments are. */
export function useNotificationActions(
  report?: NotificationActions['report'],
  select?: NotificationActions['select'],
): NotificationActions {
  const { mutate: open } = useMutation(openMutation())
  const { mutate: setRead } = useMutation(setReadMutation())
  const { mutate: archive } = useMutation(archiveMutation())
  const { mutate: share } = useMutation(shareMutation())
  const { mutate: readAll } = useMutation(readAllMutation())
  const client = useQueryClient()
  return useMemo(
    () => ({
      open,
      setRead: (id, read) => setRead({ ids: [id], read }),
      archive: (id, archived) => archive({ ids: [id], archived }),
      readChannel: (channelId, unread) => readAll({ channelId, unread }),
      archiveChannel: async (channelId, loaded) => {
        const all = await client.fetchQuery(unreadQuery(channelId)).catch(() => loaded)
        const ids = all.filter(({ importance }) => importance !== 'important').map(({ id }) => id)
        archive({ ids, archived: true })
      },
      share: ({ id, channel, title }) =>
        share({ title, path: notificationPath(channel, id), private: channel.private }),
      report,
      select,
    }),
    [open, archive, setRead, readAll, client, share, report, select],
  )
}

import type { Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { shareMutation } from '../../data/share'
import { notificationPath } from '../../lib/paths'
import { archiveMutation, openMutation, setReadMutation } from './mutations'

export type NotificationActions = {
  open: (id: string) => void
  setRead: (id: string, read: boolean) => void
  archive: (id: string, archived: boolean) => void
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
  return useMemo(
    () => ({
      open,
      setRead: (id, read) => setRead({ ids: [id], read }),
      archive: (id, archived) => archive({ ids: [id], archived }),
      share: ({ id, channel, title }) =>
        share({ title, path: notificationPath(channel, id), private: channel.private }),
      report,
      select,
    }),
    [open, archive, setRead, share, report, select],
  )
}

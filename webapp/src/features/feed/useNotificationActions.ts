import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { archiveMutation, openMutation, setReadMutation } from './mutations'

export type NotificationActions = {
  open: (id: string) => void
  setRead: (id: string, read: boolean) => void
  archive: (id: string) => void
}

/** Returns the actions on notifications. The object is stable, so that memoized cards do not render again. */
export function useNotificationActions(): NotificationActions {
  const client = useQueryClient()
  const { mutate: open } = useMutation(openMutation(client))
  const { mutate: setRead } = useMutation(setReadMutation(client))
  const { mutate: archive } = useMutation(archiveMutation(client))
  return useMemo(
    () => ({ open, archive, setRead: (id: string, read: boolean) => setRead({ ids: [id], read }) }),
    [open, archive, setRead],
  )
}

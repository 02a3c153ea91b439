import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { archiveMutation, openMutation, setReadMutation } from './mutations'

export type NotificationActions = {
  open: (id: string) => void
  setRead: (id: string, read: boolean) => void
  archive: (id: string) => void
}

/** What a reader may do with each of a list: one for all of them, and always the same. */
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

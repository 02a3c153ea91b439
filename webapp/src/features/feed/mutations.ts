import { mutationOptions } from '@tanstack/react-query'
import { showAllRead, showArchived, showRead } from '../../data/notification-cache'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { words } from '../../i18n/words'
import { api, call } from '../../lib/api'
import { queued, run } from '../../lib/query-client'

/** Lets a request finish when the page is left or reloaded right after it. */
const keepalive = true

/** Opening a notification marks it as read on every device. */
export const openMutation = () =>
  mutationOptions({
    ...queued('open'),
    mutationFn: (id: string) =>
      call(
        api().POST('/subscribers/notifications/{id}/events', {
          params: { path: { id } },
          body: { type: 'opened' },
          keepalive,
        }),
      ),
    onMutate: (id, { client }) => showRead(client, id, new Date().toISOString()),
    onError: (_error, id, _shown, { client }) => showRead(client, id, undefined),
    meta: { invalidates: [subscriptionKeys.all], errorMessage: words.feed.markFailed },
  })

const patch = (id: string, body: { read?: boolean; archived?: boolean }) =>
  call(api().PATCH('/subscribers/notifications/{id}', { params: { path: { id } }, body, keepalive }))

type ReadInput = { ids: string[]; read: boolean }

/** Marks several notifications as read or unread. */
export const setReadMutation = () =>
  mutationOptions({
    ...queued('read'),
    mutationFn: ({ ids, read }: ReadInput) => Promise.all(ids.map((id) => patch(id, { read }))),
    onMutate: ({ ids, read }, { client }) => {
      const show = (readAt: string | undefined) => ids.forEach((id) => showRead(client, id, readAt))
      const now = new Date().toISOString()
      show(read ? now : undefined)
      return () => show(read ? undefined : now)
    },
    meta: { invalidates: [subscriptionKeys.all], errorMessage: words.feed.markFailed },
  })

type ArchiveInput = { ids: string[]; archived: boolean }

const archive = ({ ids, archived }: ArchiveInput) => Promise.all(ids.map((id) => patch(id, { archived })))

/** Archives notifications, or restores them. */
export const archiveMutation = () =>
  mutationOptions({
    ...queued('archive'),
    mutationFn: archive,
    onMutate: ({ ids, archived }, { client }) => {
      const undos = ids.map((id) => showArchived(client, id, archived))
      return () => undos.toReversed().forEach((undo) => undo())
    },
    meta: {
      invalidates: [subscriptionKeys.all],
      successMessage: (variables) => {
        const { ids, archived } = variables as ArchiveInput
        return archived ? words.feed.archived(ids.length) : words.feed.restored
      },
      errorMessage: (variables) =>
        (variables as ArchiveInput).archived ? words.feed.archiveFailed : words.feed.restoreFailed,
      undo: (variables, putBack, client) => {
        const { ids, archived } = variables as ArchiveInput
        return () => run(client, undoArchiveMutation(putBack), { ids, archived: !archived })
      },
    },
  })

/**
 * Takes an archiving back. `putBack` shows it at once. The lists are fetched again, because after a reload the
 * notification is in none of them any more, and after a failure it must leave them.
 */
export const undoArchiveMutation = (putBack?: () => void) =>
  mutationOptions({
    ...queued('undo'),
    mutationFn: archive,
    onMutate: () => putBack?.(),
    meta: { invalidates: [notificationKeys.all, subscriptionKeys.all], errorMessage: words.feed.undoFailed },
  })

export type ReadAllInput = {
  /** One channel; without it, all followed channels. */
  channelId?: string
  /** Ids of all unread notifications, for undo. Empty if not all are known, which disables undo. */
  unread: string[]
}

/** Limit for undoing "mark all as read", because undoing needs one call per notification. */
export const undoable = 20

export const readAllMutation = () =>
  mutationOptions({
    ...queued('read-all'),
    mutationFn: ({ channelId }: ReadAllInput) =>
      call(api().POST('/subscribers/notifications/read-all', { body: channelId ? { channelId } : {} })),
    onMutate: ({ channelId }, { client }) => showAllRead(client, channelId),
    meta: {
      // also after a failure, which restores the unread marks
      invalidates: [notificationKeys.all, subscriptionKeys.all],
      successMessage: words.feed.markedAll,
      errorMessage: words.feed.markAllFailed,
      undo: (variables, _takeBack, client) => {
        const { unread: ids } = variables as ReadAllInput
        return ids.length > 0 ? () => run(client, setReadMutation(), { ids, read: false }) : undefined
      },
    },
  })

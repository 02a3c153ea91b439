import { type MutationOptions, type QueryClient, mutationOptions } from '@tanstack/react-query'
import { hide, showAllRead, showRead } from '../../data/notification-cache'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'

/** Lets a request finish when the page is left or reloaded right after it. */
const keepalive = true

/** Opening a notification marks it as read on every device. */
export const openMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(
        api().POST('/subscribers/notifications/{id}/events', {
          params: { path: { id } },
          body: { type: 'opened' },
          keepalive,
        }),
      ),
    onMutate: (id) => showRead(client, id, new Date().toISOString()),
    onError: (_error, id) => showRead(client, id, undefined),
    meta: { invalidates: [subscriptionKeys.all], errorMessage: pt.feed.markFailed },
  })

const patch = (id: string, body: { read?: boolean; archived?: boolean }) =>
  call(api().PATCH('/subscribers/notifications/{id}', { params: { path: { id } }, body, keepalive }))

type ReadInput = { ids: string[]; read: boolean }

/** Marks several notifications as read or unread. */
export const setReadMutation = (client: QueryClient) => {
  const show = ({ ids }: ReadInput, read: boolean) =>
    ids.forEach((id) => showRead(client, id, read ? new Date().toISOString() : undefined))
  return mutationOptions({
    mutationFn: ({ ids, read }: ReadInput) => Promise.all(ids.map((id) => patch(id, { read }))),
    onMutate: (input) => show(input, input.read),
    onError: (_error, input) => show(input, !input.read),
    meta: { invalidates: [subscriptionKeys.all], errorMessage: pt.feed.markFailed },
  })
}

/** Removes a notification from the feed. Only the undo of the toast brings it back. */
export const archiveMutation = (client: QueryClient) =>
  mutationOptions<unknown, Error, string, () => void>({
    mutationFn: (id) => patch(id, { archived: true }),
    onMutate: (id) => hide(client, id),
    onError: (_error, _id, putBack) => putBack?.(),
    meta: {
      invalidates: [subscriptionKeys.all],
      successMessage: pt.feed.archived,
      errorMessage: pt.feed.archiveFailed,
      undo: (id) => () => run(client, unarchiveMutation(), id as string),
    },
  })

const unarchiveMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => patch(id, { archived: false }),
    meta: { invalidates: [notificationKeys.all, subscriptionKeys.all], errorMessage: pt.feed.undoFailed },
  })

export type ReadAllInput = {
  /** One channel; without it, all followed channels. */
  channelId?: string
  /** Ids of all unread notifications, for undo. Empty if not all are known, which disables undo. */
  unread: string[]
}

export const readAllMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ channelId }: ReadAllInput) =>
      call(api().POST('/subscribers/notifications/read-all', { body: channelId ? { channelId } : {} })),
    onMutate: ({ channelId }) => showAllRead(client, channelId),
    meta: {
      // also after a failure, which restores the unread marks
      invalidates: [notificationKeys.all, subscriptionKeys.all],
      successMessage: pt.feed.markedAll,
      errorMessage: pt.feed.markAllFailed,
      undo: (variables) => {
        const { unread: ids } = variables as ReadAllInput
        return ids.length > 0 ? () => run(client, setReadMutation(client), { ids, read: false }) : undefined
      },
    },
  })

/** Runs a mutation outside of components, such as from a toast. Errors are reported as for any other mutation. */
function run<Data, Variables, Context>(
  client: QueryClient,
  options: MutationOptions<Data, Error, Variables, Context>,
  variables: Variables,
) {
  client
    .getMutationCache()
    .build(client, options)
    .execute(variables)
    .catch(() => undefined)
}

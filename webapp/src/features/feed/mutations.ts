import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { channelKeys } from '../channels/queries'
import { showAllRead, showRead } from './cache'
import { feedKeys } from './queries'

/** Opening a notification marks it as read, on every device. */
export const openMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(
        api().POST('/subscribers/notifications/{id}/events', { params: { path: { id } }, body: { type: 'opened' } }),
      ),
    onMutate: (id) => showRead(client, id, new Date().toISOString()),
    onSuccess: (_nothing, notificationId) => track('notification_opened', { notificationId }),
    onError: (_error, id) => showRead(client, id, undefined),
    meta: { invalidates: [channelKeys.subscriptions], errorMessage: pt.feed.markFailed },
  })

/** All of one channel, or of all that are followed. */
export const readAllMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (channelId: string | undefined) =>
      call(api().POST('/subscribers/notifications/read-all', { body: channelId ? { channelId } : {} })),
    onMutate: (channelId) => showAllRead(client, channelId),
    meta: {
      // after a failure too, which brings back what was unread
      invalidates: [feedKeys.all, channelKeys.subscriptions],
      successMessage: pt.feed.markedAll,
      errorMessage: pt.feed.markAllFailed,
    },
  })

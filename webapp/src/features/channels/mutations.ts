import type { Subscription, SubscriptionPatch } from '@sininho/sdk'
import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { showFollowing } from '../../data/channel-cache'
import { channelKeys } from '../../data/channels'
import { notificationKeys } from '../../data/notifications'
import { showBell } from '../../data/subscription-cache'
import { subscriptionKeys } from '../../data/subscriptions'
import { words } from '../../i18n/words'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { queued, run } from '../../lib/query-client'

type Undo = () => void
const invalidates = [channelKeys.all, subscriptionKeys.all, notificationKeys.all]

export const followMutation = (client: QueryClient) =>
  mutationOptions<Subscription, Error, string, Undo>({
    ...queued('follow'),
    mutationFn: (id) => call(api().POST('/subscribers/channels/{id}/subscribe', { params: { path: { id } } })),
    onMutate: (id) => showFollowing(client, id, true),
    onSuccess: (_subscription, channelId) => track('channel_followed', { channelId }),
    onError: (_error, _id, undo) => undo?.(),
    meta: { invalidates, errorMessage: words.channels.followFailed },
  })

/** Follows several channels at once, for the onboarding. */
export const followAllMutation = (client: QueryClient) =>
  mutationOptions<unknown, Error, string[], Undo[]>({
    mutationFn: (ids) =>
      Promise.all(
        ids.map((id) => call(api().POST('/subscribers/channels/{id}/subscribe', { params: { path: { id } } }))),
      ),
    onMutate: (ids) => Promise.all(ids.map((id) => showFollowing(client, id, true))),
    onSuccess: (_subscriptions, ids) => ids.forEach((channelId) => track('channel_followed', { channelId })),
    // revert in reverse order, because each snapshot includes the changes before it
    onError: (_error, _ids, undos) => undos?.toReversed().forEach((undo) => undo()),
    meta: { invalidates, errorMessage: words.channels.followAllFailed },
  })

export const unfollowMutation = (client: QueryClient) =>
  mutationOptions<unknown, Error, string, Undo>({
    ...queued('unfollow'),
    mutationFn: (id) => call(api().POST('/subscribers/channels/{id}/unsubscribe', { params: { path: { id } } })),
    onMutate: (id) => showFollowing(client, id, false),
    onSuccess: (_nothing, channelId) => track('channel_unfollowed', { channelId }),
    onError: (_error, _id, undo) => undo?.(),
    meta: {
      invalidates,
      successMessage: words.channels.unfollowed,
      errorMessage: words.channels.unfollowFailed,
      // the server keeps the bell and what was read
      undo: (id) => () => run(client, followMutation(client), id as string),
    },
  })

/** Changes the bell level and the end of muting. */
export const bellMutation = (client: QueryClient) =>
  mutationOptions<Subscription, Error, SubscriptionPatch & { id: string }, Undo>({
    ...queued('bell'),
    mutationFn: ({ id, ...body }) =>
      call(api().PATCH('/subscribers/channels/{id}', { params: { path: { id } }, body })),
    onMutate: ({ id, ...change }) => showBell(client, id, change),
    onError: (_error, _variables, undo) => undo?.(),
    meta: { invalidates: [subscriptionKeys.all], errorMessage: words.followed.bellFailed },
  })

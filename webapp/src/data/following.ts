import type { SubscriptionPatch } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { track } from '../lib/analytics'
import { api, call } from '../lib/api'
import { queued, run } from '../lib/query-client'
import { showFollowing } from './channel-cache'
import { channelKeys } from './channels'
import { notificationKeys } from './notifications'
import { showBell } from './subscription-cache'
import { subscriptionKeys } from './subscriptions'

const invalidates = [channelKeys.all, subscriptionKeys.all, notificationKeys.all]

export const follow = (id: string) =>
  call(api().POST('/subscribers/channels/{id}/subscribe', { params: { path: { id } } }))

export const unfollow = (id: string) =>
  call(api().POST('/subscribers/channels/{id}/unsubscribe', { params: { path: { id } } }))

export const followMutation = () =>
  mutationOptions({
    ...queued('follow'),
    mutationFn: follow,
    onMutate: (id, { client }) => showFollowing(client, id, true),
    onSuccess: (_subscription, channelId) => track('channel_followed', { channelId }),
    meta: { invalidates, errorMessage: words.channels.followFailed },
  })

/** Follows several channels at once, for the onboarding. */
export const followAllMutation = () =>
  mutationOptions({
    mutationFn: (ids: string[]) => Promise.all(ids.map(follow)),
    onMutate: async (ids, { client }) => {
      const undos = await Promise.all(ids.map((id) => showFollowing(client, id, true)))
      // in reverse order, because each snapshot includes the changes before it
      return () => undos.toReversed().forEach((undo) => undo())
    },
    onSuccess: (_subscriptions, ids) => ids.forEach((channelId) => track('channel_followed', { channelId })),
    meta: { invalidates, errorMessage: words.channels.followAllFailed },
  })

export const unfollowMutation = () =>
  mutationOptions({
    ...queued('unfollow'),
    mutationFn: unfollow,
    onMutate: (id, { client }) => showFollowing(client, id, false),
    onSuccess: (_nothing, channelId) => track('channel_unfollowed', { channelId }),
    meta: {
      invalidates,
      successMessage: words.channels.unfollowed,
      errorMessage: words.channels.unfollowFailed,
      // the server keeps the bell and what was read
      undo: (id, _takeBack, client) => () => run(client, followMutation(), id as string),
    },
  })

/** Leaves a private channel, which cannot be undone. `leave` leads away from what is no longer there. */
export const leaveMutation = (leave: () => Promise<void>) =>
  mutationOptions({
    mutationFn: unfollow,
    onSuccess: async (_nothing, channelId) => {
      track('channel_unfollowed', { channelId })
      await leave()
    },
    meta: { invalidates, successMessage: words.channels.unfollowed, errorMessage: words.channels.unfollowFailed },
  })

/** Changes the bell level and the end of muting. */
export const bellMutation = () =>
  mutationOptions({
    ...queued('bell'),
    mutationFn: ({ id, ...body }: SubscriptionPatch & { id: string }) =>
      call(api().PATCH('/subscribers/channels/{id}', { params: { path: { id } }, body })),
    onMutate: ({ id, ...change }, { client }) => showBell(client, id, change),
    meta: { invalidates: [subscriptionKeys.all], errorMessage: words.followed.bellFailed },
  })

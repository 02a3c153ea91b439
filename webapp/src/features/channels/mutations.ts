import type { Channel, Subscription, SubscriptionPatch } from '@sininho/sdk'
import { type InfiniteData, type QueryClient, mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { feedKeys } from '../../data/notifications'
import { channelKeys } from '../../data/channels'

type Lists = InfiniteData<{ data: Channel[] }>

/** Shows the change at once in every cached list and detail. Returns a function that reverts it. */
async function showFollowing(client: QueryClient, id: string, following: boolean) {
  await client.cancelQueries({ queryKey: channelKeys.all })
  const before = client.getQueriesData({ queryKey: channelKeys.all })
  const change = (channel: Channel): Channel =>
    channel.id === id && channel.following !== following
      ? { ...channel, following, subscriberCount: Math.max(0, channel.subscriberCount + (following ? 1 : -1)) }
      : channel
  client.setQueriesData<Lists>(
    { queryKey: channelKeys.lists },
    (lists) => lists && { ...lists, pages: lists.pages.map((page) => ({ ...page, data: page.data.map(change) })) },
  )
  client.setQueriesData<Channel[]>({ queryKey: channelKeys.suggestions }, (channels) => channels?.map(change))
  client.setQueriesData<Channel | null>({ queryKey: channelKeys.details }, (channel) => channel && change(channel))
  return () => before.forEach(([key, data]) => client.setQueryData(key, data))
}

type Undo = () => void
const invalidates = [channelKeys.all, channelKeys.subscriptions, feedKeys.all]

export const followMutation = (client: QueryClient) =>
  mutationOptions<Subscription, Error, string, Undo>({
    mutationFn: (id) => call(api().POST('/subscribers/channels/{id}/subscribe', { params: { path: { id } } })),
    onMutate: (id) => showFollowing(client, id, true),
    onSuccess: (_subscription, channelId) => track('channel_followed', { channelId }),
    onError: (_error, _id, undo) => undo?.(),
    meta: { invalidates, errorMessage: pt.channels.followFailed },
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
    meta: { invalidates, errorMessage: pt.channels.followAllFailed },
  })

export const unfollowMutation = (client: QueryClient) =>
  mutationOptions<unknown, Error, string, Undo>({
    mutationFn: (id) => call(api().POST('/subscribers/channels/{id}/unsubscribe', { params: { path: { id } } })),
    onMutate: (id) => showFollowing(client, id, false),
    onSuccess: (_nothing, channelId) => track('channel_unfollowed', { channelId }),
    onError: (_error, _id, undo) => undo?.(),
    meta: { invalidates, errorMessage: pt.channels.unfollowFailed },
  })

/** Changes the bell level and the end of muting. */
export const bellMutation = (client: QueryClient) =>
  mutationOptions<Subscription, Error, SubscriptionPatch & { id: string }, Undo>({
    scope: { id: 'bell' },
    mutationFn: ({ id, ...body }) =>
      call(api().PATCH('/subscribers/channels/{id}', { params: { path: { id } }, body })),
    onMutate: async ({ id, mutedUntil, ...rest }) => {
      await client.cancelQueries({ queryKey: channelKeys.subscriptions })
      const before = client.getQueryData<Subscription[]>(channelKeys.subscriptions)
      const mute = mutedUntil === undefined ? {} : { mutedUntil: mutedUntil ?? undefined }
      client.setQueryData<Subscription[]>(channelKeys.subscriptions, (all) =>
        all?.map((each) => (each.channel.id === id ? { ...each, ...rest, ...mute } : each)),
      )
      return () => client.setQueryData(channelKeys.subscriptions, before)
    },
    onError: (_error, _variables, undo) => undo?.(),
    meta: { invalidates: [channelKeys.subscriptions], errorMessage: pt.followed.bellFailed },
  })

import type { ChannelRef } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { channelInvitationKeys } from '../../data/channel-invitations'
import { forgetChannel } from '../../data/left'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { focusHeading } from '../../lib/focus'
import { forgetInvitation } from '../../lib/joining'

/** Joins a channel, to which `enter` leads, or asks to. Failures show the server's text. */
export const acceptMutation = (enter: (channel: ChannelRef) => Promise<void>) =>
  mutationOptions({
    mutationFn: (secret: string) => call(api().POST('/channel-invitations/accept', { body: { secret } })),
    onSuccess: async ({ channel, state }, _secret, _shown, { client }) => {
      if (state !== 'member') return focusHeading() // the pressed button goes
      track('channel_followed', { channelId: channel.id })
      forgetInvitation()
      forgetChannel(client, channel) // such as that it did not exist
      await enter(channel)
    },
    meta: { invalidates: [channelInvitationKeys.all, subscriptionKeys.all, notificationKeys.all] },
  })

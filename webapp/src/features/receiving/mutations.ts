import type { Channel } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { channelKeys } from '../../data/channels'
import { deviceKeys } from '../../data/devices'
import { follow } from '../../data/following'
import { notificationKeys } from '../../data/notifications'
import { sessionKeys } from '../../data/session'
import { subscriptionKeys } from '../../data/subscriptions'
import { words } from '../../i18n/words'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { PushError, askPermission, enablePush } from '../../lib/push/registration'

type Received = {
  channels: readonly Pick<Channel, 'id' | 'following'>[]
  /** The person has no session, and gets one without an account. */
  visitor: boolean
}

/**
 * Follows channels and has this device pushed to. The browser asks first, while it still takes the click for the
 * reason. What it says does not matter to following: the feed has everything.
 */
export const receiveMutation = () =>
  mutationOptions({
    mutationFn: async ({ channels, visitor }: Received, { client }) => {
      const asked = askPermission()
      if (visitor) {
        await call(api().POST('/auth/anonymous'))
        // what shows the first push in this tab is loaded meanwhile
        void client.invalidateQueries({ queryKey: sessionKeys.all })
      }
      for (const { id, following } of channels) {
        if (following) continue
        await follow(id)
        track('channel_followed', { channelId: id })
      }
      return enablePush(asked).catch((error: unknown) => {
        if (error instanceof PushError) return error
        throw error
      })
    },
    meta: {
      invalidates: [sessionKeys.all, channelKeys.all, subscriptionKeys.all, notificationKeys.all, deviceKeys.all],
      errorMessage: words.channels.followFailed,
    },
  })

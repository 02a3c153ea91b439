import type { Channel } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { channelKeys } from '../../data/channels'
import { follow, unfollow } from '../../data/following'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { track } from '../../lib/analytics'
import { api, call } from '../../lib/api'
import { run } from '../../lib/query-client'

/** How many channels a click follows, how many of them at a time, and how many are listed by a request. */
const most = 60
const together = 6
const limit = 100

const invalidates = [channelKeys.all, subscriptionKeys.all, notificationKeys.all]

/** Whether following all of a publisher includes a channel. */
export const mayFollow = ({ visibility, following, suspension }: Channel) =>
  visibility === 'public' && !following && !suspension

type Done = {
  /** The ids of the channels that are followed now and were not before. */
  followed: string[]
  /** How many could not be followed. */
  failed: number
  /** There are more than a click follows. */
  more: boolean
}

/** Follows the public channels of a publisher. It fails when none can be followed. */
export const followPublisherMutation = () =>
  mutationOptions({
    mutationFn: async (publisher: string): Promise<Done> => {
      const ids = await followable(publisher)
      const done: Done = { followed: [], failed: 0, more: ids.length > most }
      let reason: unknown
      for (let at = 0; at < Math.min(ids.length, most); at += together) {
        const some = ids.slice(at, Math.min(at + together, most))
        const results = await Promise.allSettled(some.map(follow))
        done.followed.push(...some.filter((_id, index) => results[index]!.status === 'fulfilled'))
        reason ??= results.find(({ status }) => status === 'rejected')
        // what refuses all of some refuses the others too
        if (results.every(({ status }) => status === 'rejected')) break
      }
      done.failed = Math.min(ids.length, most) - done.followed.length
      if (reason && done.followed.length === 0) throw (reason as PromiseRejectedResult).reason
      return done
    },
    onSuccess: ({ followed }) => followed.forEach((channelId) => track('channel_followed', { channelId })),
    meta: {
      invalidates,
      successMessage: (_publisher, data) => {
        const { followed, failed, more } = data as Done
        const { followedAll, followedSome, followedMost } = discovery.publisher
        if (followed.length === 0) return undefined
        if (failed > 0) return followedSome(followed.length, failed)
        return (more ? followedMost : followedAll)(followed.length)
      },
      errorMessage: words.channels.followAllFailed,
      undo: (_publisher, _takeBack, client, data) => () => run(client, unfollowSomeMutation(), (data as Done).followed),
    },
  })

const unfollowSomeMutation = () =>
  mutationOptions({
    mutationFn: async (ids: string[]) => {
      for (let at = 0; at < ids.length; at += together) await Promise.all(ids.slice(at, at + together).map(unfollow))
    },
    meta: { invalidates, errorMessage: words.channels.unfollowFailed },
  })

/** Returns the ids of what is left to follow, the most followed first, and no more than tell that there is more. */
async function followable(publisher: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += limit) {
    const { data, meta } = await call(api().GET('/channels', { params: { query: { publisher, limit, offset } } }))
    ids.push(...data.filter(mayFollow).map(({ id }) => id))
    if (ids.length > most || data.length === 0 || offset + data.length >= meta.total) return ids
  }
}

import { type ChannelAddress, formatChannel } from './paths'

/** The channel that a visitor wanted to follow before they had to sign in. */
export type FollowIntent = ChannelAddress & { id: string; name: string }

const key = 'sininho.follow'
/** Milliseconds for which a sign-in that is under way is remembered. */
const kept = 60 * 60_000

export function keepFollowIntent({ id, name, publisherSlug, slug }: FollowIntent) {
  localStorage.setItem(key, JSON.stringify({ id, name, publisherSlug, slug, at: Date.now() }))
}

/** Returns what was kept within the last hour. */
export function followIntent(): FollowIntent | undefined {
  try {
    const { at, ...intent } = JSON.parse(localStorage.getItem(key) ?? '') as FollowIntent & { at: number }
    return Date.now() - at < kept ? intent : undefined
  } catch {
    return undefined
  }
}

/** Returns what was kept, once. */
export function takeFollowIntent(): FollowIntent | undefined {
  const intent = followIntent()
  localStorage.removeItem(key)
  return intent
}

/** Reports whether a path is the page of the channel. */
export const leadsTo = (path: string | undefined, intent: FollowIntent) =>
  path?.split(/[?#]/)[0] === `/channels/${formatChannel(intent)}`

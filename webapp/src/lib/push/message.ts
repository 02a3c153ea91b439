import { language } from '../../i18n/language'
import { isWeb, linkTarget, safeLink } from '../paths'
import { textOf } from '../search'

/**
 * The data of a push message from the server. `revisedAt` is the time of the latest change in milliseconds. Summaries
 * have no `channelId`. A quiet one is shown, and the server is told nothing.
 */
export type PushData = {
  id?: string
  link?: string
  channel?: string
  channelId?: string
  quiet?: true
  revisedAt: number
}

/**
 * How the system shows a notification: an important one stays until it is seen to. It rings again when it comes again
 * under its tag, as one that was postponed does.
 */
type Manner = { lang: string; dir: 'auto'; timestamp?: number; requireInteraction?: true; renotify?: true }

/** The content of a system notification. */
export type Push = Manner & {
  title: string
  body?: string
  image?: string
  icon?: string
  tag: string
  data: PushData
}

/** A change of a notification that was pushed before. */
export type Revision = Manner & {
  revision: 'corrected' | 'withdrawn'
  id: string
  title?: string
  body?: string
  image?: string
  icon?: string
  data: PushData
}

/**
 * Returns the URL that a click opens: the notification's link if it is a page that may be opened, otherwise the
 * notification, which has the link. A worker cannot begin an email or a call.
 */
export function clickTarget(data: Omit<PushData, 'revisedAt'>, origin: string): string {
  const { link } = data
  const url = safeLink(link && URL.canParse(link, origin) ? new URL(link, origin).href : undefined)
  return url && isWeb(url) && linkTarget(url, origin) !== 'refused' ? url.href : feedTarget(data, origin)
}

/** Returns the URL of the notification in the feed. */
export function feedTarget(data: Omit<PushData, 'revisedAt'>, origin: string): string {
  const id = notificationId(data)
  return id ? `${origin}/feed?notification=${encodeURIComponent(id)}` : `${origin}/feed`
}

/** The id of the pushed notification. A test push has an id but no channel, and is not in the feed. */
export const notificationId = ({ id, channel }: Pick<PushData, 'id' | 'channel'>) => channel && id

/** Reports whether a system notification shows one of the feed, not a test or a summary, which have another tag. */
export const isNotification = ({ tag, data }: { tag: string; data: unknown }) =>
  tag !== '' && notificationId(pushData(data)) === tag

/** Reads the data of a push, which is untrusted input. */
export function pushData(data: unknown): PushData {
  const { id, link, channel, channelId, quiet, revisedAt } = fields(data)
  return {
    id: textOf(id),
    link: textOf(link),
    channel: textOf(channel),
    channelId: textOf(channelId),
    ...(quiet ? { quiet: true as const } : {}),
    revisedAt: Number(revisedAt) || 0,
  }
}

function mannerOf(data: unknown): Manner {
  const { publishedAt, importance, again } = fields(data)
  const timestamp = Number(publishedAt)
  return {
    lang: language,
    dir: 'auto',
    ...(timestamp > 0 && { timestamp }),
    ...(importance === 'important' && { requireInteraction: true }),
    ...((again || importance === 'important') && { renotify: true }),
  }
}

/** Reads the content of a message from its notification or, without one, from its data. Falls back to `ours`. */
export function pushOf(message: unknown, ours: { title: string; body: string }): Push {
  const { notification, data: rest } = fields(message)
  const { title, body, image, icon, tag } = { ...fields(rest), ...fields(notification) }
  const data = pushData(rest)
  const said = textOf(title) ? { title: textOf(title)!, body: textOf(body) } : ours
  const look = { image: textOf(image), icon: textOf(icon), ...mannerOf(rest) }
  return { ...said, ...look, tag: textOf(tag) ?? data.id ?? 'sininho', data }
}

/** Reads the message as a revision, or returns undefined if it is none. */
export function revisionOf(message: unknown): Revision | undefined {
  const { data } = fields(message)
  const { revision, title, body, image, icon } = fields(data)
  const { id, ...rest } = pushData(data)
  if (!id || (revision !== 'corrected' && revision !== 'withdrawn')) return undefined
  const shown = { title: textOf(title), body: textOf(body), image: textOf(image), icon: textOf(icon) }
  const { renotify: _, ...manner } = mannerOf(data) // a correction is silent
  return { revision, id, ...shown, ...manner, data: { id, ...rest } }
}

/** Reports whether the browser is Safari, or any browser on iPhone and iPad. */
export const isWebKit = (userAgent: string) => /AppleWebKit\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)

const fields = (data: unknown) => (typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {})

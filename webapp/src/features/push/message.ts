import { linkTarget } from '../../lib/paths'

/** What the server puts into a push message's data: texts all, but for the time of the latest change, in milliseconds. */
export type PushData = { id?: string; link?: string; channel?: string; revisedAt: number }

/** What a push shows. */
export type Push = { title: string; body?: string; image?: string; icon?: string; tag: string; data: PushData }

/** What became of a notification that was pushed before. */
export type Revision = {
  revision: 'corrected' | 'withdrawn'
  id: string
  title?: string
  body?: string
  image?: string
  icon?: string
  data: PushData
}

/** Where a click on a notification leads: to its link when that is a page of ours, else to the feed, at it. */
export function clickTarget(data: Omit<PushData, 'revisedAt'>, origin: string): string {
  const { link } = data
  if (link && URL.canParse(link, origin)) {
    const url = new URL(link, origin)
    if (linkTarget(url, origin) === 'page') return url.href
  }
  const id = notificationId(data)
  return id ? `${origin}/feed?notification=${encodeURIComponent(id)}` : `${origin}/feed`
}

/** The notification that was pushed: a test has an id too, but no channel, and stands in no feed. */
export const notificationId = ({ id, channel }: Pick<PushData, 'id' | 'channel'>) => channel && id

/** The notification's id, if there is one; the data comes from outside. */
export function pushData(data: unknown): PushData {
  const { id, link, channel, revisedAt } = fields(data)
  return { id: text(id), link: text(link), channel: text(channel), revisedAt: Number(revisedAt) || 0 }
}

/** What a message shows, whether it says so as a notification or as data alone; ours where it says nothing. */
export function pushOf(message: unknown, ours: { title: string; body: string }): Push {
  const { notification, data: rest } = fields(message)
  const { title, body, image, icon, tag } = { ...fields(rest), ...fields(notification) }
  const data = pushData(rest)
  const said = text(title) ? { title: text(title)!, body: text(body) } : ours
  return { ...said, image: text(image), icon: text(icon), tag: text(tag) ?? data.id ?? 'sininho', data }
}

/** The message as a revision, if it is one. */
export function revisionOf(message: unknown): Revision | undefined {
  const { data } = fields(message)
  const { revision, title, body, image, icon } = fields(data)
  const { id, ...rest } = pushData(data)
  if (!id || (revision !== 'corrected' && revision !== 'withdrawn')) return undefined
  const shown = { title: text(title), body: text(body), image: text(image), icon: text(icon) }
  return { revision, id, ...shown, data: { id, ...rest } }
}

/** Whether it is Safari, or any browser on iPhone and iPad. */
export const isWebKit = (userAgent: string) => /AppleWebKit\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)

const fields = (data: unknown) => (typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {})
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** What the server puts into a push message's data: texts all, but for the time of the latest change, in milliseconds. */
export type PushData = { id?: string; link?: string; channel?: string; revisedAt: number }

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

/**
 * Where a click on a notification leads: to its link when that is on our own origin, else to our feed, at the
 * notification.
 */
export function clickTarget({ id, link }: Pick<PushData, 'id' | 'link'>, origin: string): string {
  if (link && URL.canParse(link, origin)) {
    const url = new URL(link, origin)
    if (url.origin === origin) return url.href
  }
  return id ? `${origin}/feed?notification=${encodeURIComponent(id)}` : `${origin}/feed`
}

/** The notification's id, if there is one; the data comes from outside. */
export function pushData(data: unknown): PushData {
  const { id, link, channel, revisedAt } = fields(data)
  return { id: text(id), link: text(link), channel: text(channel), revisedAt: Number(revisedAt) || 0 }
}

/** The same of a notification that the system shows, whether Firebase showed it or we did. */
export function pushedData(data: unknown): PushData {
  const { FCM_MSG, ...own } = fields(data)
  return pushData(FCM_MSG ? fields(FCM_MSG).data : own)
}

/** The message as a revision, if it is one. */
export function revisionOf(data: unknown): Revision | undefined {
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

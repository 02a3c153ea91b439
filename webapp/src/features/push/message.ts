/** What the server puts into a push message's data: texts all. */
export type PushData = { id?: string; link?: string; channel?: string }

/**
 * Where a click on a notification leads: to its link when that is on our own origin, else to our feed, at the
 * notification.
 */
export function clickTarget({ id, link }: PushData, origin: string): string {
  if (link && URL.canParse(link, origin)) {
    const url = new URL(link, origin)
    if (url.origin === origin) return url.href
  }
  return id ? `${origin}/feed?notification=${encodeURIComponent(id)}` : `${origin}/feed`
}

/** The notification's id, if there is one; the data comes from outside. */
export function pushData(data: unknown): PushData {
  if (typeof data !== 'object' || data === null) return {}
  const { id, link, channel } = data as Record<string, unknown>
  return { id: text(id), link: text(link), channel: text(channel) }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

import { isNotification } from './message'

type Item = { id: string; readAt?: string; archivedAt?: string; snoozedUntil?: string }
type Page = { data: Item[]; meta: { unread?: number } }

/** The page that the server has in memory. What is older is closed when the app is opened and its list loaded. */
const limit = 15
const others = 5

/**
 * Closes the system notifications that the person has read, archived or postponed, on whichever device, and returns how
 * many are unread. Returns undefined if the server cannot tell. The service worker calls it too, so it makes its own
 * requests.
 */
export async function closeSeen(registration: ServiceWorkerRegistration, api: string): Promise<number | undefined> {
  const shown = (await registration.getNotifications()).filter(isNotification)
  const feed = `${api}/subscribers/notifications`
  const page = await get<Page>(`${feed}?limit=${shown.length > 0 ? limit : 1}`)
  if (!page) return undefined
  const listed = new Map(page.data.map((item) => [item.id, item]))
  // what is put away is not in the list
  const missing = shown.filter(({ tag }) => !listed.has(tag)).slice(-others)
  for (const item of await Promise.all(missing.map(({ tag }) => get<Item>(`${feed}/${encodeURIComponent(tag)}`))))
    if (item) listed.set(item.id, item)
  for (const each of shown) {
    const item = listed.get(each.tag)
    if (item?.readAt || item?.archivedAt || item?.snoozedUntil) each.close()
  }
  return page.meta.unread
}

async function get<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { credentials: 'include' })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

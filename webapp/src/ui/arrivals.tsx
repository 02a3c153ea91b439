import { Link } from '@tanstack/react-router'
import { words } from '../i18n/words'
import { toaster } from './toaster'

type Arrived = { id?: string; title: string; body?: string; image?: string; icon?: string }

/** Puts the channel's name before the body, as the server does in pushes. */
export const namedBody = (channel: string, body?: string) => (body ? `${channel} · ${body}` : channel)

/** Ids of announced notifications, because the same one may arrive by push and by the live stream. */
const announced = new Set<string>()
const remembered = 500

/** Shows a toast. `again` is true of a notification that may have been announced before. */
export function announceArrival({ id, ...notification }: Arrived, again = false) {
  const key = id ?? crypto.randomUUID()
  if (announced.has(key) && !again) return
  announced.add(key)
  if (announced.size > remembered) announced.delete(announced.values().next().value!)
  toaster.arrival({
    ...notification,
    id: key,
    link: id && (
      <Link to="/feed" search={{ notification: id }}>
        {words.feed.open}
      </Link>
    ),
  })
}

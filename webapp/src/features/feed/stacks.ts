import type { Notification } from '@sininho/sdk'

/** With this many of one channel within an hour, one after another, only the first few are shown whole. */
const many = 6
const whole = 3
const hour = 60 * 60_000

const at = ({ publishedAt }: Notification) => new Date(publishedAt ?? Date.now()).getTime()

/** Returns the ids of the notifications of which only the title is shown. A stack ends with the day. */
export function stackedIn(days: readonly (readonly Notification[])[]): ReadonlySet<string> {
  const stacked = new Set<string>()
  for (const items of days) {
    for (let first = 0; first < items.length;) {
      const head = items[first]!
      const past = items.findIndex(
        (each, index) => index > first && (each.channel.id !== head.channel.id || at(head) - at(each) > hour),
      )
      const end = past < 0 ? items.length : past
      if (end - first >= many) for (const each of items.slice(first + whole, end)) stacked.add(each.id)
      first = end
    }
  }
  return stacked
}

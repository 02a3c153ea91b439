import { notification as words } from '../i18n/notification'
import { daysAgo, relative, sinceLabel, timeLabel } from './dates'

const thisYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * "há 5 min", "09:14", "ontem, 22:11" or "12 de nov., 22:11", with the year only if it is not the current one: the time
 * of a row wherever no heading has the day.
 */
export function momentLabel(date: Date, now = new Date()): string {
  const label = sinceLabel(date, now)
  const ago = daysAgo(date, now)
  // the last hour may have begun yesterday
  if (ago === 0 || label !== timeLabel(date)) return label
  const dates = date.getFullYear() === now.getFullYear() ? thisYear : otherYear
  return words.moment(ago === 1 ? relative.format(-1, 'day') : dates.format(date), label)
}

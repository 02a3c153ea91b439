import { notification as words } from '../i18n/notification'
import { daysAgo, relative, timeLabel } from './dates'

const thisYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short', year: 'numeric' })

/** "hoje, 09:14", "ontem, 22:11" or "12 de nov., 22:11", with the year only if it is not the current one. */
export function momentLabel(date: Date, now = new Date()): string {
  const ago = daysAgo(date, now)
  const dates = date.getFullYear() === now.getFullYear() ? thisYear : otherYear
  return words.moment(ago === 0 || ago === 1 ? relative.format(-ago, 'day') : dates.format(date), timeLabel(date))
}

import { language } from '../i18n/language'
import { notification as words } from '../i18n/notification'
import { timeLabel } from './dates'

const dayMs = 24 * 60 * 60 * 1000
const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const thisYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat(words.dates, { day: 'numeric', month: 'short', year: 'numeric' })

/** "hoje, 09:14", "ontem, 22:11" or "12 de nov., 22:11", with the year only if it is not the current one. */
export function momentLabel(date: Date, now = new Date()): string {
  const midnight = (each: Date) => new Date(each).setHours(0, 0, 0, 0)
  // rounded, because a day on which the clocks change has 23 or 25 hours
  const ago = Math.round((midnight(now) - midnight(date)) / dayMs)
  const dates = date.getFullYear() === now.getFullYear() ? thisYear : otherYear
  return words.moment(ago === 0 || ago === 1 ? near.format(-ago, 'day') : dates.format(date), timeLabel(date))
}

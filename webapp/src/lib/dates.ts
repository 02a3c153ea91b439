import { language } from '../i18n/language'
import { words } from '../i18n/words'

const day = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
export const dayMs = 24 * 60 * 60 * 1000

// created once, because creating a formatter takes longer than using it a hundred times
const dayAndMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })
const dayMonthAndYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' })
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
const fullDate = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
export const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const short = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** How many days ago a date was. Rounded, because a day on which the clocks change has 23 or 25 hours. */
export const daysAgo = (date: Date, now: Date) => Math.round((day(now) - day(date)) / dayMs)

/** "Hoje", "Ontem" or the date, with the year only if it is not the current one. */
export function dayLabel(date: Date, now = new Date()): string {
  const ago = daysAgo(date, now)
  if (ago === 0) return words.dates.today
  if (ago === 1) return words.dates.yesterday
  return (date.getFullYear() === now.getFullYear() ? dayAndMonth : dayMonthAndYear).format(date)
}

/** "14:30", or "2:30 PM" where that is how it is written. */
export const timeLabel = (date: Date) => timeOfDay.format(date)

export const fullLabel = (date: Date) => fullDate.format(date)

/** "há 5 min" within the hour, then the time of day: the time of a row below a heading that has the day. */
export function sinceLabel(date: Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - date.getTime()) / 60_000)
  if (minutes < 0 || minutes >= 60) return timeLabel(date)
  return minutes ? short.format(-minutes, 'minute') : relative.format(0, 'second')
}

/** Groups consecutive items of the same day, keeping the order. */
export function groupByDay<T>(items: readonly T[], dateOf: (item: T) => Date, now = new Date()) {
  const groups: { label: string; day: number; items: T[] }[] = []
  let latest = 0
  for (const item of items) {
    const date = dateOf(item)
    const last = groups.at(-1)
    // most are earlier on the same day, which needs no arithmetic with time zones
    const same = last && ((last.day <= date.getTime() && date.getTime() <= latest) || last.day === day(date))
    latest = date.getTime()
    if (same) last.items.push(item)
    else groups.push({ label: dayLabel(date, now), day: day(date), items: [item] })
  }
  return groups
}

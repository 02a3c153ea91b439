// How long ago or ahead something is, apart from the labels that lists are loaded with.
import { language } from '../i18n/language'
import { words } from '../i18n/words'
import { dayMs, daysAgo, relative, timeLabel } from './dates'

/** "28/11/2026", for dates that may be years away. */
export const dateLabel = (date: Date) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date)

/** "às 14:30", "amanhã às 08:00", "28/11, às 08:00", with the year only if it is not the current one. */
export function untilLabel(date: Date, now = new Date()): string {
  const ahead = -daysAgo(date, now)
  if (ahead === 0) return words.dates.at(timeLabel(date))
  if (ahead === 1) return words.dates.tomorrowAt(timeLabel(date))
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  const label = new Intl.DateTimeFormat(language, { day: '2-digit', month: 'short', year }).format(date)
  return words.dates.dayAt(label, timeLabel(date))
}

/** A time of every day, as the server writes it: "14:30". */
export const dailyLabel = (time: string) => timeLabel(new Date(`2000-01-01T${time}`))

export const isPast = (date: Date, now = new Date()) => date <= now

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
]

/** "há 3 horas"; "agora" for less than a minute. */
export function agoLabel(date: Date, now = new Date()): string {
  const ago = now.getTime() - date.getTime()
  for (const [unit, ms] of units) {
    if (ago >= ms) return relative.format(-Math.floor(ago / ms), unit)
  }
  return relative.format(0, 'second')
}

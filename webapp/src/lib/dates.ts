import { pt } from '../i18n/pt'

const day = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const dayMs = 24 * 60 * 60 * 1000

/** Hoje, Ontem, or the date; with the year only when it is another. */
export function dayLabel(date: Date, now = new Date()): string {
  // rounded, because a day of a clock change has 23 or 25 hours
  const ago = Math.round((day(now) - day(date)) / dayMs)
  if (ago === 0) return pt.dates.today
  if (ago === 1) return pt.dates.yesterday
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat('pt', { day: 'numeric', month: 'long', year }).format(date)
}

export const timeLabel = (date: Date) =>
  new Intl.DateTimeFormat('pt', { hour: '2-digit', minute: '2-digit' }).format(date)

export const fullLabel = (date: Date) =>
  new Intl.DateTimeFormat('pt', { dateStyle: 'full', timeStyle: 'short' }).format(date)

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
]

/** "há 3 horas"; under a minute, "agora". */
export function agoLabel(date: Date, now = new Date()): string {
  const format = new Intl.RelativeTimeFormat('pt', { numeric: 'auto' })
  const ago = now.getTime() - date.getTime()
  for (const [unit, ms] of units) {
    if (ago >= ms) return format.format(-Math.floor(ago / ms), unit)
  }
  return format.format(0, 'second')
}

/** Runs of items of one day, in the order given. */
export function groupByDay<T>(items: readonly T[], dateOf: (item: T) => Date, now = new Date()) {
  const groups: { label: string; items: T[] }[] = []
  for (const item of items) {
    const label = dayLabel(dateOf(item), now)
    const last = groups.at(-1)
    if (last?.label === label) last.items.push(item)
    else groups.push({ label, items: [item] })
  }
  return groups
}

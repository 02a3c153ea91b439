const pad = (part: number) => String(part).padStart(2, '0')

/** The local date, as "2026-12-24". */
export const dateOf = (date: Date) => [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')

/** The first moment of the month in which a date is, or of one some months away. */
export const monthOf = (date: Date, away = 0) => new Date(date.getFullYear(), date.getMonth() + away, 1)

/** The days of a week from Monday on, for their names. */
export const weekdays = Array.from({ length: 7 }, (_, index) => new Date(2024, 0, index + 1))

/** The weeks of a month, from Monday on; days of other months are undefined. */
export function weeksOf(month: Date): (Date | undefined)[][] {
  const before = (month.getDay() + 6) % 7
  const days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate()
  const weeks = Math.ceil((before + days) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before + 1
      return day < 1 || day > days ? undefined : new Date(month.getFullYear(), month.getMonth(), day)
    }),
  )
}

import type { Plan, PlanInput, Template, Weekday } from '@sininho/sdk'
import { language } from '../../i18n/language'
import { plans as words } from '../../i18n/plans'
import { dailyLabel } from '../../lib/spans'
import { dateOf } from './weeks'

/** The days of a week from Monday on. */
export const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]

/** What is asked about a plan. */
export type PlanFields = {
  every: 'week' | 'month'
  weekdays: readonly string[]
  monthDays: string
  time: string
  makes: PlanInput['makes']
}

/** What is shown of a plan at first, or of a new one. */
export const planFields = (plan?: Plan, draftOnly = false): PlanFields => ({
  every: plan?.monthDays?.length ? 'month' : 'week',
  weekdays: plan?.weekdays ?? [],
  monthDays: plan?.monthDays?.join(', ') ?? '',
  time: plan?.time ?? '',
  makes: draftOnly || plan?.makes === 'draft' ? 'draft' : 'notification',
})

const daysIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

/** What is missing or wrong, by field. */
export function planFaults({ every, monthDays, time, ...fields }: PlanFields) {
  const days = daysIn(monthDays)
  const wrong = days.length === 0 || days.some((day) => !/^([1-9]|[12]\d|3[01])$/.test(day))
  return {
    ...(every === 'week' && fields.weekdays.length === 0 && { weekdays: words.daysMissing }),
    ...(every === 'month' && wrong && { monthDays: words.monthDaysWrong }),
    ...(!time && { time: words.timeMissing }),
  }
}

/** The plan of fields without a fault. It ends when the one before did. */
export const planOf = (
  { every, monthDays, time, makes, ...fields }: PlanFields,
  timezone: string,
  before?: Plan,
): PlanInput => ({
  makes,
  time,
  timezone,
  endsAt: before?.endsAt,
  ...(every === 'week'
    ? { weekdays: weekdays.filter((day) => fields.weekdays.includes(day)) as PlanInput['weekdays'] }
    : { monthDays: [...new Set(daysIn(monthDays).map(Number))] }),
})

const list = new Intl.ListFormat(language)

/** "Às segundas e às sextas, às 17:00" */
export function planLabel({ weekdays: week = [], monthDays = [], time }: Plan): string {
  const inWeek =
    week.length === 7 ? words.daily : words.onDays(list.format(week.map((day) => words.plural[day] ?? day)))
  const days = monthDays.toSorted((a, b) => a - b).map((day) => (day === 31 ? words.lastDay : String(day)))
  return words.at(week.length > 0 ? inWeek : words.inMonth(list.format(days), days.length > 1), dailyLabel(time))
}

/** The plan that leaves out what is next. */
export const withoutNext = ({ plan, nextAt }: Template): PlanInput =>
  ({ ...plan, startsAt: new Date(new Date(nextAt!).getTime() + 1000).toISOString() }) as PlanInput

/** Returns whether a template is published or made a draft on a day, by the calendar of its plan. */
export function plannedOn({ plan, nextAt }: Template): (day: Date) => boolean {
  if (!plan || !nextAt) return () => false
  const { weekdays: week = [], monthDays = [], endsAt, timezone } = plan
  const first = dateThere(nextAt, timezone)
  const end = endsAt && dateThere(endsAt, timezone)
  return (day) => {
    const date = dateOf(day)
    const last = new Date(day.getFullYear(), day.getMonth() + 1, 0).getDate()
    return (
      date >= first &&
      (!end || date <= end) &&
      (week.includes(weekdays[(day.getDay() + 6) % 7]!) ||
        monthDays.some((planned) => Math.min(planned, last) === day.getDate()))
    )
  }
}

/** The date at a moment in a timezone, as "2026-12-24"; that of this device if the browser does not know it. */
function dateThere(moment: string, timeZone: string): string {
  const at = new Date(moment)
  try {
    return new Intl.DateTimeFormat('sv', { timeZone }).format(at)
  } catch {
    return dateOf(at)
  }
}

import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { language } from '../../i18n/language'
import { numbers } from '../../i18n/numbers'
import { dayLabel } from '../../lib/dates'
import { dateOf, weekdays, weeksOf } from './weeks'
import classes from './studio.module.css'

type Props = {
  month: Date
  /** The id of what names the month. */
  labelledBy: string
  /** How many notifications go out on a day. */
  countOf: (day: Date) => number
  opened?: string
  onOpen: (day: string) => void
}

const short = new Intl.DateTimeFormat(language, { weekday: 'narrow' })
const long = new Intl.DateTimeFormat(language, { weekday: 'long' })

/** The days of a month, of which those on which something goes out can be opened. */
export function MonthTable({ month, labelledBy, countOf, opened, onOpen }: Props) {
  return (
    <table className={classes.month} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th key={day.getTime()} scope="col">
              <span aria-hidden>{short.format(day)}</span>
              <VisuallyHidden>{long.format(day)}</VisuallyHidden>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- weeks have no identity
          <tr key={index}>
            {week.map((day, weekday) => (
              <td key={day?.getTime() ?? weekday}>
                {day && <Day day={day} count={countOf(day)} opened={opened} onOpen={onOpen} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DayProps = Pick<Props, 'opened' | 'onOpen'> & { day: Date; count: number }

function Day({ day, count, opened, onOpen }: DayProps) {
  if (count === 0) return <span className={classes.date}>{day.getDate()}</span>
  return (
    <UnstyledButton
      className={`${classes.date} ${classes.planned}`}
      aria-label={numbers.month.count(dayLabel(day), count)}
      aria-pressed={dateOf(day) === opened}
      onClick={() => onOpen(dateOf(day))}
    >
      {day.getDate()}
    </UnstyledButton>
  )
}

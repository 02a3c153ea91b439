import { fullLabel } from '../../lib/dates'
import { momentLabel } from '../../lib/moment'
import { useToday } from './useToday'

/** The time of publication with its day, where no heading has that. The tooltip has the full date. */
export function DatedMoment({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={fullLabel(date)}>
      {momentLabel(date, useToday())}
    </time>
  )
}

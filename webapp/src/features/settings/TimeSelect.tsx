import { NativeSelect } from '@mantine/core'
import { dailyLabel } from '../../lib/spans'

const halfHours = Array.from({ length: 48 }, (_, at) => new Date(2000, 0, 1, 0, 30 * at).toTimeString().slice(0, 5))

type TimeSelectProps = {
  label: string
  value: string
  /** The time at the other end of hours, which this cannot be. */
  other?: string
  onChange: (time: string) => void
}

/**
 * Chooses among the half hours and, where it is none of them, the present time. A native field for times follows the
 * language of the browser instead of that of the page.
 */
export function TimeSelect({ label, value, other, onChange }: TimeSelectProps) {
  const times = [...new Set([...halfHours, value])].toSorted()
  return (
    <NativeSelect
      flex="1 1 120px"
      maw={176}
      label={label}
      value={value}
      data={times.map((time) => ({ value: time, label: dailyLabel(time), disabled: time === other }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

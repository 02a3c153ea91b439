import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../lib/clock'
import { fullLabel } from '../lib/dates'
import { momentLabel } from '../lib/moment'

/** The time of publication with its day, where no heading has that. The tooltip has the full date. */
export function DatedMoment({ at }: { at: string }) {
  const date = new Date(at)
  const label = useSyncExternalStore(subscribeClock, () => momentLabel(date))
  return (
    <Text component="time" inherit flex="none" c="dimmed" fz="sm" dateTime={at} title={fullLabel(date)}>
      {label}
    </Text>
  )
}

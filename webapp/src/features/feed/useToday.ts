import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'

/** Returns the start of today and updates at midnight, so that the labels of days stay correct. */
export function useToday(): Date {
  const start = useSyncExternalStore(subscribeClock, () => new Date().setHours(0, 0, 0, 0))
  return new Date(start)
}

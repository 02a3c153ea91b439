import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'

/** Begins anew at midnight, so that what is called today is. */
export function useToday(): Date {
  const start = useSyncExternalStore(subscribeClock, () => new Date().setHours(0, 0, 0, 0))
  return new Date(start)
}

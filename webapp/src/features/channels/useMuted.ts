import type { Subscription } from '@sininho/sdk'
import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'

/** Until when a channel is silenced, while it is. */
export function useMuted({ mutedUntil }: Pick<Subscription, 'mutedUntil'>): Date | undefined {
  const until = useSyncExternalStore(subscribeClock, () =>
    mutedUntil && Date.parse(mutedUntil) > Date.now() ? mutedUntil : undefined,
  )
  return until ? new Date(until) : undefined
}

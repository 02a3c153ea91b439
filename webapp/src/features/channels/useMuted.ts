import type { Subscription } from '@sininho/sdk'
import { useSyncExternalStore } from 'react'
import { subscribeClock } from '../../lib/clock'

/** Returns the end of a channel's mute, or undefined if it is not muted now. */
export function useMuted({ mutedUntil }: Pick<Subscription, 'mutedUntil'>): Date | undefined {
  const until = useSyncExternalStore(subscribeClock, () =>
    mutedUntil && Date.parse(mutedUntil) > Date.now() ? mutedUntil : undefined,
  )
  return until ? new Date(until) : undefined
}

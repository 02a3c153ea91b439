import type { Notification } from '@sininho/sdk'
import { useState, useSyncExternalStore } from 'react'
import { focusHeading } from '../../lib/focus'

/** Pixels, about a card and a half. Further down, a new arrival would shift what is being read. */
const limit = 160

const subscribe = (changed: () => void) => {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}

const useScrolledAway = () => useSyncExternalStore(subscribe, () => scrollY > limit)

/**
 * Keeps the list unchanged while the reader has scrolled down, so that it does not shift. New arrivals are counted and
 * shown at the top. `enabled` is false where the reader waits for arrivals.
 */
export function useHeldBack(items: Notification[], enabled = true) {
  const away = useScrolledAway() && enabled
  const [top, setTop] = useState<string>()
  // set while rendering, so that no frame shows the shifted list
  if (away && top === undefined && items[0]) setTop(items[0].id)
  if (!away && top !== undefined) setTop(undefined)
  const at = away ? items.findIndex(({ id }) => id === top) : 0
  const arrived = Math.max(0, at)
  return {
    shown: items.slice(arrived),
    arrived,
    showArrived: () => {
      setTop(items[0]?.id)
      scrollTo({ top: 0 })
      focusHeading() // the pressed pill disappears
    },
  }
}

import { useSyncExternalStore } from 'react'

/** Pixels, about a card and a half. Further down, a new arrival would shift what is being read. */
const limit = 160

const subscribe = (changed: () => void) => {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}

export const useScrolledAway = () => useSyncExternalStore(subscribe, () => scrollY > limit)

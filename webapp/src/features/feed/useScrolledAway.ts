import { useSyncExternalStore } from 'react'

/** Further than a card and a half from the top, an arrival would push away what is being read. */
const limit = 160

const subscribe = (changed: () => void) => {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}

export const useScrolledAway = () => useSyncExternalStore(subscribe, () => scrollY > limit)

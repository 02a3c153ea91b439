import { useSyncExternalStore } from 'react'

/** From this width on, a list has room for something beside it. The style sheets have the same number. */
const query = '(min-width: 73.75em)'

const subscribe = (changed: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

export const useWide = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)

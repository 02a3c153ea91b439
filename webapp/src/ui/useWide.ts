import { useSyncExternalStore } from 'react'

/** Makes a hook that reports whether the window matches a media query. The style sheets have the same numbers. */
function hookOf(query: string) {
  const subscribe = (changed: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }
  return function useMatch() {
    return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
  }
}

/** Whether a list of cards has room for something beside it. */
export const useWide = hookOf('(min-width: 73.75em)')

/** Whether a list of names has room for something beside it, as everywhere but on phones. */
export const useTwoPanes = hookOf('(min-width: 48em)')

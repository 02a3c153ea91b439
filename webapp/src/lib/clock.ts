/** Milliseconds between updates of relative times. */
const every = 15_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
const tick = () => listeners.forEach((listener) => listener())

/**
 * Time as a store for useSyncExternalStore. A component that returns a label as its snapshot renders again only when
 * the label changes. Also updates when the tab's visibility changes, because timers stop in a sleeping tab.
 */
export function subscribeClock(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) {
    timer = setInterval(tick, every)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** How often what is told of time is looked at anew. */
const every = 15_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
const tick = () => listeners.forEach((tell) => tell())

/**
 * Time as a store, for useSyncExternalStore: whoever shows it reads a label from it, and is drawn anew only when that
 * label is another. A tab that slept is told on waking.
 */
export function subscribeClock(tell: () => void): () => void {
  listeners.add(tell)
  if (!timer) {
    timer = setInterval(tick, every)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(tell)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

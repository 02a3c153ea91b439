// with a longer delay a timer fires at once
const longest = 2 ** 31 - 1

/** Waits. Ends early when the signal is aborted or the browser is back online. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, longest))
    if (signal?.aborted) done()
    signal?.addEventListener('abort', done, { once: true })
    globalThis.addEventListener?.('online', done, { once: true })
  })
}

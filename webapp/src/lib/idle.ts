/** When the browser has nothing better to do. */
export const whenIdle: (run: () => void) => void =
  globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000))

/** Runs a function when the browser is idle. */
export const whenIdle: (run: () => void) => void =
  globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000))

/** Runs a function when the browser is idle. */
export const whenIdle: (run: () => void) => void =
  globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000))

/** Runs a function when what has changed so far is painted, so that the answer to an input does not wait for it. */
export const afterPaint = (run: () => void) => void requestAnimationFrame(() => setTimeout(run))

/** Milliseconds for which what a screen began to load ahead is shown without another fetch. */
export const loadedAhead = 5000

/** Milliseconds for which several components share one fetch; in the meantime the stream keeps it current. */
export const keptCurrent = 10_000

/** Focuses the screen's heading, for when the focused element disappears. */
export const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true })

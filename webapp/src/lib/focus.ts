/** Focuses the screen's heading, for when the focused element disappears. */
export const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true })

/** Focuses the notification after this one, or before it if it is the last. Returns its article. */
export function focusNextTo(article: Element | null): HTMLElement | undefined {
  const all = [...document.querySelectorAll('article')]
  const at = all.findIndex((each) => each === article)
  const next = all[at + 1] ?? all[at - 1]
  if (next) next.querySelector<HTMLElement>('h3 button')?.focus({ preventScroll: true })
  else focusHeading()
  return next
}

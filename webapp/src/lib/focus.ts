/** Focuses the screen's heading, for when the focused element disappears. */
export const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true })

/** Focuses the notification after this one, or before it if it is the last. */
export function focusNextTo(article: Element | null) {
  const all = [...document.querySelectorAll('article')]
  const at = all.findIndex((each) => each === article)
  const next = (all[at + 1] ?? all[at - 1])?.querySelector<HTMLElement>('h3 button')
  if (next) next.focus({ preventScroll: true })
  else focusHeading()
}

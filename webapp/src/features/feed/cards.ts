import type { Notification } from '@sininho/sdk'

const card = 'article[data-id]'

const shown = new WeakMap<Element, Notification>()

/** Remembers what a card shows, for those who listen to the events of all cards. */
export const cardShows = (element: Element, notification: Notification) => void shown.set(element, notification)

export const notificationOf = (element: Element) => shown.get(element)

/** The card that contains an element. */
export const cardOf = (element: EventTarget | null) =>
  element instanceof Element ? element.closest<HTMLElement>(card) : null

/** The card that is marked: the one with the focus or, if none has it, the one shown beside the list. */
export const markedCard = () =>
  cardOf(document.activeElement) ?? document.querySelector<HTMLElement>(`${card}[data-focused]`)

/** The card that is `step` cards after another. Without another, the first one that is not above the viewport. */
export function cardAfter(from: Element | null, step: number): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(card)]
  const at = all.findIndex((each) => each === from)
  return at < 0 ? (all.find((each) => each.getBoundingClientRect().top >= 0) ?? all.at(-1)) : all[at + step]
}

/** Moves the focus to a card's title. */
export function focusCard(to: HTMLElement) {
  to.querySelector<HTMLElement>('h3 button')?.focus({ preventScroll: true })
  to.scrollIntoView({ block: 'nearest' })
}

import type { Notification } from '@sininho/sdk'
import { focusHeading } from '../../lib/focus'

export const cards = 'article:is([data-id], [data-group])'

/** What can be done with all that a card stands for. */
export type GroupDeeds = { read: () => void; archive: () => Promise<void> }

const shown = new WeakMap<Element, Notification>()
const groups = new WeakMap<Element, GroupDeeds>()

/** Remembers what a card shows, for those who listen to the events of all cards. */
export const cardShows = (card: Element, notification: Notification) => void shown.set(card, notification)

export const notificationOf = (card: Element) => shown.get(card)

/** Remembers what is done with a card that stands for many. */
export const cardStandsFor = (card: Element, deeds: GroupDeeds) => void groups.set(card, deeds)

export const groupOf = (card: Element) => groups.get(card)

/** The card that contains an element. */
export const cardOf = (element: EventTarget | null) =>
  element instanceof Element ? element.closest<HTMLElement>(cards) : null

/** The card that is `step` cards after another. */
export function cardAfter(from: Element, step: number): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(cards)]
  return all[all.findIndex((each) => each === from) + step]
}

export const focusTitle = (card: Element) =>
  card.querySelector<HTMLElement>(':is(h3, h5) button')?.focus({ preventScroll: true })

/** Focuses the card after another, or before it if it is the last, and returns it. */
export function focusNextTo(from: Element): HTMLElement | undefined {
  const next = cardAfter(from, 1) ?? cardAfter(from, -1)
  if (next) focusTitle(next)
  else focusHeading()
  return next
}

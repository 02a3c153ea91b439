import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type FeedView, feedQuery } from '../../data/notifications'
import { cardAfter, cardOf, cards, focusTitle, notificationOf } from './cards'

/** Milliseconds that a held key must have stopped before the notification it stopped at is shown beside the list. */
const rest = 150

/** The card that is marked: the one with the focus or, if none has it, the one shown beside the list. */
export const markedCard = () =>
  cardOf(document.activeElement) ?? document.querySelector<HTMLElement>(`${cards}[data-focused]`)

/** The first card that is not above the viewport. */
function cardInSight(): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(cards)]
  return all.find((card) => card.getBoundingClientRect().top >= 0) ?? all.at(-1)
}

/** Focuses a card's title. */
export function focusCard(card: HTMLElement) {
  focusTitle(card)
  card.scrollIntoView({ block: 'nearest' })
}

/**
 * Returns functions that move the focus by a number of cards, and to a card. At the end of what is loaded the first
 * loads more, and then moves on. `show` shows a notification beside the list, where there is room.
 */
export function useTravel(view: FeedView, show?: (id: string | undefined) => void) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(feedQuery(view))
  /** The card that the reader was at, also when a click elsewhere took the focus. */
  const last = useRef<Element>(null)
  /** The last card, from which to move on when more are loaded. */
  const waiting = useRef<Element>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const frame = useRef(0)

  const goTo = (card: HTMLElement, repeated = false) => {
    focusCard(card)
    clearTimeout(timer.current)
    cancelAnimationFrame(frame.current)
    const showIt = () => show?.(notificationOf(card)?.id)
    // the focus is painted first
    if (repeated) timer.current = setTimeout(showIt, rest)
    else frame.current = requestAnimationFrame(() => (timer.current = setTimeout(showIt)))
  }
  const moveOn = useEffectEvent(() => {
    const from = waiting.current
    const next = from && markedCard() === from && cardAfter(from, 1)
    if (!next) return
    waiting.current = null
    goTo(next)
  })
  useEffect(() => moveOn(), [data])
  useEffect(() => {
    const note = ({ target }: Event) => (last.current = cardOf(target) ?? last.current)
    const events = ['focusin', 'click'] as const
    events.forEach((type) => document.addEventListener(type, note))
    return () => {
      clearTimeout(timer.current)
      cancelAnimationFrame(frame.current)
      events.forEach((type) => document.removeEventListener(type, note))
    }
  }, [])

  const go = (step: number, repeated: boolean) => {
    const from = markedCard() ?? (last.current?.isConnected ? last.current : null)
    const next = from ? cardAfter(from, step) : cardInSight()
    waiting.current = null
    if (next) return goTo(next, repeated)
    if (!from || step < 0 || !hasNextPage) return undefined
    waiting.current = from
    if (!isFetchingNextPage) void fetchNextPage()
    return undefined
  }
  return { go, goTo }
}

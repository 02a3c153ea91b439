import { cardOf } from './cards'

/** Pixels. A swipe from the edge of the screen is the browser's, to go back. */
const edge = 24
/** Pixels that a finger moves before its direction counts. */
const slack = 10

type Handlers = {
  move: (card: HTMLElement, by: number) => void
  /** `by` is 0 when the swipe was called off, as by the browser. */
  end: (card: HTMLElement, by: number) => void
}

/** Follows fingers that drag a card sideways. The rest, such as scrolling and selecting text, is left to the browser. */
export function watchSwipes(list: HTMLElement, { move, end }: Handlers): () => void {
  let finger: { id: number; x: number; y: number; card: HTMLElement; swiping: boolean } | undefined

  const onDown = ({ pointerType, isPrimary, pointerId: id, clientX: x, clientY: y, target }: PointerEvent) => {
    if (!isPrimary) return stop(0) // a second finger zooms
    const card = cardOf(target)
    if (pointerType !== 'touch' || !card || x < edge || x > innerWidth - edge) return
    if (getSelection()?.isCollapsed === false || card.querySelector('[aria-haspopup=menu][aria-expanded=true]')) return
    finger = { id, x, y, card, swiping: false }
  }
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (finger?.id !== pointerId) return
    const [x, y] = [clientX - finger.x, clientY - finger.y]
    if (!finger.swiping) {
      if (Math.hypot(x, y) < slack) return
      if (Math.abs(x) < 1.5 * Math.abs(y)) return void (finger = undefined)
      finger.swiping = true
    }
    move(finger.card, x)
  }
  const onUp = ({ pointerId, clientX }: PointerEvent) => finger?.id === pointerId && stop(clientX - finger.x)
  const onCancel = ({ pointerId }: PointerEvent) => finger?.id === pointerId && stop(0)
  const stop = (by: number) => {
    if (finger?.swiping) end(finger.card, by)
    finger = undefined
  }

  const leaving = new AbortController()
  const options = { signal: leaving.signal, passive: true }
  list.addEventListener('pointerdown', onDown, options)
  document.addEventListener('pointermove', onMove, options)
  document.addEventListener('pointerup', onUp, options)
  document.addEventListener('pointercancel', onCancel, options)
  return () => leaving.abort()
}

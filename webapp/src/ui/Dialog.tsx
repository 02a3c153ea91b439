import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import classes from './Dialog.module.css'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  /** What it opens beside where there is room; without it, in the middle. On phones it comes from below. */
  anchor?: RefObject<HTMLElement | null>
}

const margin = 8

/** The browser's own dialog: it keeps the focus while it is there, and gives it back. Render it to open it. */
export function Dialog({ title, onClose, children, anchor }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    if (current && anchor?.current) place(current, anchor.current)
    return () => current?.close()
  }, [anchor])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does for the keyboard what a click beside it does
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={classes.dialog}
      data-anchored={anchor ? true : undefined}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current && !within(dialog.current, event.clientX, event.clientY)) onClose()
      }}
    >
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** A click on the backdrop is told as one on the dialog. */
function within(element: Element, x: number, y: number) {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}

function place(dialog: HTMLElement, anchor: HTMLElement) {
  if (!matchMedia('(min-width: 768px)').matches) return
  const { right, bottom } = anchor.getBoundingClientRect()
  const fit = (at: number, size: number, room: number) => Math.max(margin, Math.min(at, room - size - margin))
  dialog.style.left = `${fit(right - dialog.offsetWidth, dialog.offsetWidth, innerWidth)}px`
  dialog.style.top = `${fit(bottom + 4, dialog.offsetHeight, innerHeight)}px`
}

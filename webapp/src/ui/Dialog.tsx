import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import classes from './Dialog.module.css'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  /** The element to open beside, if there is room; otherwise the dialog is centred. On phones it is at the bottom. */
  anchor?: RefObject<HTMLElement | null>
}

const margin = 8

/** The browser's modal dialog, which traps the focus and returns it on close. Open while it is rendered. */
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
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard equivalent
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

/** Clicks on the backdrop have the dialog as their target, so the position decides. */
function within(element: Element, x: number, y: number) {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}

function place(dialog: HTMLElement, anchor: HTMLElement) {
  if (!matchMedia('(min-width: 48em)').matches) return
  const { right, top, bottom } = anchor.getBoundingClientRect()
  const fit = (at: number, size: number, room: number) => Math.max(margin, Math.min(at, room - size - margin))
  const beside =
    bottom + 4 + dialog.offsetHeight + margin > innerHeight && right + 4 + dialog.offsetWidth + margin <= innerWidth
  dialog.style.left = `${fit(beside ? right + 4 : right - dialog.offsetWidth, dialog.offsetWidth, innerWidth)}px`
  dialog.style.top = `${fit(beside ? top : bottom + 4, dialog.offsetHeight, innerHeight)}px`
}

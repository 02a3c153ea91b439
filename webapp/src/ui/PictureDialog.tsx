import { CloseButton } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { words } from '../i18n/words'
import classes from './PictureDialog.module.css'

/** A picture as large as the window. Escape, its button and a click beside it close it. */
export default function PictureDialog({ src, of, onClose }: { src: string; of: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard equivalent
    <dialog
      ref={dialog}
      aria-label={words.picture.of(of)}
      className={classes.dialog}
      onClose={onClose}
      onClick={({ target }) => target instanceof HTMLImageElement || onClose()}
    >
      <img src={src} alt={words.picture.of(of)} referrerPolicy="no-referrer" className={classes.picture} />
      <CloseButton className={classes.close} size="xl" aria-label={words.close} onClick={onClose} />
    </dialog>
  )
}

import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { words } from '../i18n/words'
import { onDemand } from './onDemand'
import classes from './ui.module.css'

const PictureDialog = onDemand(() => import('./PictureDialog'))

type Props = {
  src: string
  /** What the picture belongs to, for people who do not see it. */
  of: string
  className?: string
}

/** A publisher's picture, which opens large. It is hidden if it cannot be loaded. */
export function PictureButton({ src, of, className }: Props) {
  const [broken, setBroken] = useState<string>()
  const [open, setOpen] = useState(false)
  if (broken === src) return null
  return (
    <>
      <UnstyledButton
        className={`${classes.openable} ${className ?? ''}`}
        aria-label={words.picture.open(of)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(src)}
        />
      </UnstyledButton>
      {open && <PictureDialog src={src} of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

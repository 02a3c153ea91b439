import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { words } from '../i18n/words'
import { onDemand } from './onDemand'
import classes from './ui.module.css'

const PictureDialog = onDemand(() => import('./PictureDialog'))

type Props = {
  src: string
  /** What is shown of it here; the picture itself if there is none. */
  small?: string
  /** What the picture belongs to, for people who do not see it. */
  of: string
  className?: string
}

/** A publisher's picture, which opens large. It is hidden if it cannot be loaded. */
export function PictureButton({ src, small = src, of, className }: Props) {
  const [broken, setBroken] = useState<string>()
  const [open, setOpen] = useState(false)
  if (broken === small) return null
  return (
    <>
      <UnstyledButton
        className={`${classes.openable} ${className ?? ''}`}
        aria-label={words.picture.open(of)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <img
          src={small}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(small)}
        />
      </UnstyledButton>
      {open && <PictureDialog src={src} of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { ifLoaded } from './onDemand'

export type MenuItem = { label: string; icon?: ReactNode; onClick: () => void }

const OpenMenu = ifLoaded(() => import('./OpenMenu'))

type Props = {
  label: string
  /** Id of the element that describes what the actions are for. */
  describedBy?: string
  /** Or a function that is asked for them when it opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
}

/** A few actions behind three dots. A list may hold thousands, so what opens is loaded and rendered on demand. */
export function Menu({ label, describedBy, items }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ActionIcon
        ref={button}
        aria-label={label}
        aria-describedby={describedBy}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      {open && (
        <OpenMenu
          of={button}
          label={label}
          items={typeof items === 'function' ? items() : items}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

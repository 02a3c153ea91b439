import { Button, Stack } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconHistory } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { keep } from '../../i18n/keep'
import { KeepForm } from './KeepForm'

/** How much the channel keeps. */
export function Keeping({ channel }: { channel: Channel }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <Stack align="flex-start" gap={12}>
      <Button
        ref={button}
        variant="default"
        leftSection={<IconHistory size={20} />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {keep.open}
      </Button>
      {open && <KeepForm channel={channel} onClose={close} />}
    </Stack>
  )
}

import { Button } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type Shared, shareLabel, shareMutation } from '../../data/share'
import classes from './channels.module.css'

/** Shares a page of this app, or copies its address where the system has no way to share. */
export function ShareButton(page: Shared) {
  const { mutate } = useMutation(shareMutation())
  return (
    <Button
      size="sm"
      variant="default"
      className={classes.share}
      aria-label={shareLabel(page)}
      leftSection={<IconShare3 size={20} aria-hidden />}
      onClick={() => mutate(page)}
    >
      {shareLabel(page)}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { shareMutation } from '../../data/share'
import { words } from '../../i18n/words'
import classes from './channels.module.css'

/** Shares a page of this app, or copies its address where the system has no way to share. */
export function ShareButton(page: { title: string; path: string }) {
  const { mutate } = useMutation(shareMutation())
  return (
    <Button
      size="sm"
      variant="default"
      className={classes.share}
      aria-label={words.feed.share}
      leftSection={<IconShare3 size={20} aria-hidden />}
      onClick={() => mutate(page)}
    >
      {words.feed.share}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { shareMutation } from '../../data/share'
import { words } from '../../i18n/words'

/** Shares a page of this app, or copies its address where the system has no way to share. */
export function ShareButton(page: { title: string; path: string }) {
  const { mutate } = useMutation(shareMutation())
  return (
    <Button variant="default" radius="xl" leftSection={<IconShare3 size={20} />} onClick={() => mutate(page)}>
      {words.feed.share}
    </Button>
  )
}

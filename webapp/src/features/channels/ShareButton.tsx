import { Button } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { share } from '../../lib/share'

type Props = { title: string; path: string }

const shareMutation = () =>
  mutationOptions<unknown, Error, Props>({
    mutationFn: ({ title, path }) => share(title, path),
    meta: {
      successMessage: (_variables, copied) => (copied ? pt.feed.copied : undefined),
      errorMessage: pt.feed.shareFailed,
    },
  })

/** Shares a page of this app, or copies its address where the system has no way to share. */
export function ShareButton(page: Props) {
  const { mutate } = useMutation(shareMutation())
  return (
    <Button variant="default" radius="xl" leftSection={<IconShare3 size={20} />} onClick={() => mutate(page)}>
      {pt.feed.share}
    </Button>
  )
}

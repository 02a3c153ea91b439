import { mutationOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { share } from '../lib/share'

/** Shares a page of this app by the system's dialog, or copies its address where there is none. */
export const shareMutation = () =>
  mutationOptions<unknown, Error, { title: string; path: string }>({
    mutationFn: ({ title, path }) => share(title, path),
    meta: {
      successMessage: (_variables, copied) => (copied ? words.feed.copied : undefined),
      errorMessage: words.feed.shareFailed,
    },
  })

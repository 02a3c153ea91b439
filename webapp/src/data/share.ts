import { mutationOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'

/** Shares a page of this app by the system's dialog, or copies its address where there is none: then it returns true. */
async function share({ title, path }: { title: string; path: string }): Promise<boolean> {
  const url = new URL(path, location.origin).href
  if (!navigator.share) {
    await navigator.clipboard.writeText(url)
    return true
  }
  try {
    await navigator.share({ title, url })
  } catch (error) {
    const closed = error instanceof DOMException && error.name === 'AbortError'
    if (!closed) throw error
  }
  return false
}

export const shareMutation = () =>
  mutationOptions({
    mutationFn: share,
    meta: {
      successMessage: (_variables, copied) => (copied ? words.feed.copied : undefined),
      errorMessage: words.feed.shareFailed,
    },
  })

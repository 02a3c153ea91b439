import { mutationOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'

export type Shared = {
  title: string
  path: string
  /** Of a private channel, so that only its members can open it. */
  private?: boolean
}

export const shareLabel = ({ private: own }: { private?: boolean }) =>
  own ? words.feed.shareWithMembers : words.feed.share

/** Shares a page of this app by the system's dialog, or copies its address where there is none: then it returns true. */
async function share({ title, path }: Shared): Promise<boolean> {
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
      successMessage: (page, copied) => {
        const { copied: forAll, copiedForMembers } = words.feed
        return copied ? ((page as Shared).private ? copiedForMembers : forAll) : undefined
      },
      errorMessage: words.feed.shareFailed,
    },
  })

import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

/**
 * Returns the click handler of a link to a page above. If that page is the one before, it goes back there, so that the
 * reader finds it as it was, and only once in the history.
 */
export function useBack(isBefore: () => boolean) {
  const { history } = useRouter()
  return (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !isBefore()) return
    event.preventDefault()
    history.back()
  }
}

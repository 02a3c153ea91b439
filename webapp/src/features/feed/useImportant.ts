import type { Notification, NotificationPage } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type FeedView, feedQuery, isWhole } from '../../data/notifications'

/** Milliseconds. After that a list does without what is important further down, for good, so that nothing moves. */
const patience = 500

const none: readonly Notification[] = []

/** Reports whether more is unread than what is loaded. */
function hasMoreUnread(pages: readonly NotificationPage[]) {
  const loaded = pages.flatMap(({ data }) => data).filter(({ readAt }) => !readAt)
  return (pages.at(-1)?.meta.unread ?? 0) > loaded.length
}

/**
 * Returns what is important in the whole feed, also further down than what is loaded, and nothing for other lists.
 * Undefined while it is waited for. The server reads all that is important for it, so it is asked only by readers who
 * have more unread than what is loaded.
 */
export function useImportant(view: FeedView, pages?: readonly NotificationPage[]): readonly Notification[] | undefined {
  const [wanted, setWanted] = useState<boolean>()
  const [late, setLate] = useState(false)
  // set while rendering, so that no frame shows a list that then moves
  if (wanted === undefined && pages) setWanted(isWhole(view) && hasMoreUnread(pages))
  const { data, isPending } = useInfiniteQuery({ ...feedQuery({ part: 'important' }), enabled: wanted === true })
  const waits = wanted === true && isPending && !late
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [waits])
  if (waits || wanted === undefined) return undefined
  return wanted && !late && data ? data.pages.flatMap((page) => page.data) : none
}

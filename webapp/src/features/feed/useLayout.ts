import type { Notification } from '@sininho/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FeedView, feedQuery, isWhole } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { type Layout, layoutOf, ungrouped } from './rows'

/** Reports whether a list groups by channel: not one of a channel, nor one that was chosen in another way. */
const isGrouped = ({ channel, part, q }: FeedView) => !channel && !q && (!part || part === 'unread')

const none: readonly Notification[] = []

const now = (): { since: string; layout?: Layout } => ({ since: new Date().toISOString() })

/**
 * Returns what is important in the whole feed, also far down, and nothing for other lists. Undefined while it is loading;
 * after an error there is nothing.
 */
export function useImportant(view: FeedView): readonly Notification[] | undefined {
  const { data, isPending } = useInfiniteQuery({ ...feedQuery({ part: 'important' }), enabled: isWhole(view) })
  if (!isWhole(view)) return none
  return isPending ? undefined : (data?.pages.flatMap((page) => page.data) ?? none)
}

/**
 * Returns the layout of a list, undefined while what it depends on is loading, and a function that lays it out anew: the
 * layout stays until the reader asks for another list.
 */
export function useLayout(view: FeedView): [Layout | undefined, () => void] {
  const grouped = isGrouped(view)
  const { data: subscriptions, isPending } = useQuery({ ...subscriptionsQuery(), enabled: grouped })
  const [{ since, layout }, setLayout] = useState(now)
  // set while rendering, so that no frame shows another list
  if (grouped && !layout && subscriptions) setLayout({ since, layout: layoutOf(subscriptions, since) })
  return [layout ?? (grouped && isPending ? undefined : ungrouped), () => setLayout(now())]
}

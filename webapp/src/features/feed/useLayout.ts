import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeedView } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { type Layout, layoutOf, ungrouped } from './rows'

/** Reports whether a list groups by channel: not one of a channel, nor one that was chosen in another way. */
const isGrouped = ({ channel, part, q }: FeedView) => !channel && !q && (!part || part === 'unread')

const now = (): { since: string; layout?: Layout } => ({ since: new Date().toISOString() })

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

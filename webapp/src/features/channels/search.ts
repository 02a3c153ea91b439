import type { ChannelSort } from '@sininho/sdk'
import { textOf } from '../../lib/search'

/** The orders to choose from, the usual one first. */
export const orders = ['popular', 'trending', 'newest'] as const satisfies readonly ChannelSort[]

/** What the URL of the list of channels holds. */
export type Search = { q?: string; category?: string; sort?: Exclude<(typeof orders)[number], 'popular'> }

export const searchOf = ({ q, category, sort }: Record<string, unknown>): Search => ({
  q: textOf(q),
  category: textOf(category),
  sort: sort === 'trending' || sort === 'newest' ? sort : undefined,
})

/** What to fetch. What is searched for comes by how well it fits, not in the chosen order. */
export const listedBy = ({ q, category, sort }: Search) => (q ? { q, category } : { category, sort })

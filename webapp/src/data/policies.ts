import { queryOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'

export type PolicyName = 'privacy' | 'terms'

/** A text of the operator, of which the server makes HTML without scripts. The title is empty if the text has none. */
type Policy = { title: string; html: string }

/** What the operator writes about privacy or the terms of use, if they give the text instead of an address. */
export const policyQuery = (name: PolicyName) =>
  queryOptions({
    queryKey: ['policy', name] as const,
    queryFn: async ({ signal }) => {
      const response = await fetch(`/${name}.json`, { signal })
      if (!response.ok) throw new Error(words.errors.list)
      return (await response.json()) as Policy
    },
    staleTime: Infinity,
  })

import { queryOptions } from '@tanstack/react-query'
import { words } from '../i18n/words'

export type PolicyName = 'privacy' | 'terms'

/** What the operator writes about privacy or the terms of use, if they give the text instead of an address. */
export const policyQuery = (name: PolicyName) =>
  queryOptions({
    queryKey: ['policy', name] as const,
    queryFn: async ({ signal }) => {
      const response = await fetch(`/${name}.txt`, { signal })
      if (!response.ok) throw new Error(words.errors.list)
      return response.text()
    },
    staleTime: Infinity,
  })

import { useEffect, useState } from 'react'

const place = (name: string) => `sininho.draft.${name}`

function kept<T>(name: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(place(name)) ?? '') as T
  } catch {
    return undefined
  }
}

/**
 * What is being typed and not yet saved. It outlives a reload, and a session that ends meanwhile, in this tab; once it
 * is empty again nothing is kept. Name it by whose it is, so that nobody else finds it.
 */
export function useDraft<T extends object>(name: string, empty: T) {
  const [draft, setDraft] = useState(() => kept<T>(name) ?? empty)
  useEffect(() => {
    if (Object.keys(draft).length > 0) sessionStorage.setItem(place(name), JSON.stringify(draft))
    else sessionStorage.removeItem(place(name))
  }, [name, draft])
  return [draft, setDraft] as const
}

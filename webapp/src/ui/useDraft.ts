import { useEffect, useState } from 'react'

const place = (name: string) => `sininho.draft.${name}`

function kept<T>(name: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(place(name)) ?? '') as T
  } catch {
    return undefined
  }
}

function keepDraft(name: string, draft: object) {
  if (Object.keys(draft).length > 0) sessionStorage.setItem(place(name), JSON.stringify(draft))
  else sessionStorage.removeItem(place(name))
}

/**
 * State for unsaved input that survives a reload, or the end of the session, in this tab. An empty draft is deleted.
 * `name` must identify the person, so that nobody else finds the draft.
 */
export function useDraft<T extends object>(name: string, empty: T) {
  const [draft, setDraft] = useState(() => kept<T>(name) ?? empty)
  useEffect(() => keepDraft(name, draft), [name, draft])
  return [draft, setDraft] as const
}

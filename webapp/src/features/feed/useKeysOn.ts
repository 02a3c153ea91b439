import { useState } from 'react'

/** "off" in browsers whose reader does not want single keys to act, as with speech input (WCAG 2.1.4). */
const key = 'sininho.keys'

/** Whether the keyboard shortcuts act in this browser, and a function to change it. */
export function useKeysOn() {
  const [on, setOn] = useState(() => localStorage.getItem(key) !== 'off')
  const keep = (next: boolean) => {
    setOn(next)
    if (next) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  }
  return [on, keep] as const
}

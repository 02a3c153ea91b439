import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

const shown = new Set<object>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const tell = () => listeners.forEach((listener) => listener())

/** Whether this component is the first on the screen of all that call this, so that one speaks for all. */
export function useFirst(): boolean {
  const [own] = useState(() => ({}))
  useLayoutEffect(() => {
    shown.add(own)
    tell()
    return () => {
      shown.delete(own)
      tell()
    }
  }, [own])
  return useSyncExternalStore(subscribe, () => {
    const [first = own] = shown
    return first === own
  })
}

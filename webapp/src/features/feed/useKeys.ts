import { useEffectEvent, useLayoutEffect } from 'react'

/** By `KeyboardEvent.key`; undefined leaves a key to the browser. `repeated` is true while the key is held down. */
export type Keys = Record<string, ((repeated: boolean) => void) | undefined>

/** What takes keys itself: fields, and whatever is open above the page. */
const fields = 'input, textarea, select, [contenteditable]'
const above = '[role=dialog], [role=menu], [aria-haspopup=menu][aria-expanded=true]'

/** Listens to single keys, except where they have another meaning. */
export function useKeys(keys: Keys) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, repeat } = event
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
    const act = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (!act || (target instanceof Element && target.closest(fields)) || document.querySelector(above)) return
    event.preventDefault()
    act(repeat)
  })
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (changed: () => void) => onlineManager.subscribe(changed)

/** Whether the browser reports a connection. */
export const useOnline = () => useSyncExternalStore(subscribe, () => onlineManager.isOnline())

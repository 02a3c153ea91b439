import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (changed: () => void) => onlineManager.subscribe(changed)

/** Whether there is a connection, as far as the browser knows. */
export const useOnline = () => useSyncExternalStore(subscribe, () => onlineManager.isOnline())

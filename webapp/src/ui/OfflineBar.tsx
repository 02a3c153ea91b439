import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { pt } from '../i18n/pt'
import classes from './OfflineBar.module.css'

const subscribe = (changed: () => void) => onlineManager.subscribe(changed)

export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => onlineManager.isOnline())
  return (
    <div role="status" className={online ? undefined : classes.bar}>
      {!online && pt.errors.offline}
    </div>
  )
}

import { useIsMutating } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { queuedKey } from '../lib/query-client'
import classes from './ui.module.css'
import { useOnline } from './useOnline'

export function OfflineBar() {
  const online = useOnline()
  const waiting = useIsMutating({ mutationKey: queuedKey }) > 0
  return (
    <div role="status" className={online ? undefined : classes.bar}>
      {!online && (waiting ? words.errors.offlineWaiting : words.errors.offline)}
    </div>
  )
}

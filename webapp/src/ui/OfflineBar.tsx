import { pt } from '../i18n/pt'
import classes from './OfflineBar.module.css'
import { useOnline } from './useOnline'

export function OfflineBar() {
  const online = useOnline()
  return (
    <div role="status" className={online ? undefined : classes.bar}>
      {!online && pt.errors.offline}
    </div>
  )
}

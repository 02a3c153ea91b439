import { demo } from '../../i18n/demo'
import { useOnline } from '../../ui/useOnline'
import classes from './LiveBadge.module.css'

export function LiveBadge({ live }: { live: boolean }) {
  const online = useOnline()
  return (
    <span role="status" className={classes.badge} data-live={(online && live) || undefined}>
      {!online && demo.disconnected}
      {online && (live ? demo.live : demo.connecting)}
    </span>
  )
}

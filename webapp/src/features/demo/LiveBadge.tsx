import { pt } from '../../i18n/pt'
import { useOnline } from '../../ui/useOnline'
import classes from './LiveBadge.module.css'

export function LiveBadge({ live }: { live: boolean }) {
  const online = useOnline()
  return (
    <span role="status" className={classes.badge} data-live={(online && live) || undefined}>
      {!online && pt.demo.disconnected}
      {online && (live ? pt.demo.live : pt.demo.connecting)}
    </span>
  )
}

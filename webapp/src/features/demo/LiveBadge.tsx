import { pt } from '../../i18n/pt'
import classes from './LiveBadge.module.css'

export function LiveBadge({ live }: { live: boolean }) {
  return (
    <span role="status" className={classes.badge} data-live={live || undefined}>
      {live ? pt.demo.live : pt.demo.connecting}
    </span>
  )
}

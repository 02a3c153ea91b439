import { Link } from '@tanstack/react-router'
import { type Search, orders } from './search'
import { discovery } from '../../i18n/discovery'
import classes from './ChannelOrder.module.css'

/** In which order channels are listed. There is nothing to choose while searching. */
export function ChannelOrder({ search }: { search: Search }) {
  if (search.q) return <span className={classes.none} />
  return (
    <nav aria-label={discovery.order} className={classes.orders}>
      {orders.map((order) => (
        <Link
          key={order}
          to="/channels"
          search={{ ...search, sort: order === 'popular' ? undefined : order }}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
          className={classes.order}
          resetScroll={false}
        >
          {discovery.orders[order]}
        </Link>
      ))}
    </nav>
  )
}

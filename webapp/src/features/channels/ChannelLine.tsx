import { Link } from '@tanstack/react-router'
import { discovery } from '../../i18n/discovery'
import { ChannelCount } from './ChannelCount'
import classes from './ChannelLine.module.css'
import { type Search, listedBy, orders } from './search'

/** The line above a list of channels: how many they are, and in which order. */
export const ChannelLine = ({ search }: { search: Search }) => (
  <div className={classes.line}>
    <ChannelCount search={listedBy(search)} />
    <ChannelOrder search={search} />
  </div>
)

/** There is nothing to choose while searching. */
function ChannelOrder({ search }: { search: Search }) {
  if (search.q) return null
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

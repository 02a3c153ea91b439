import { Flex, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { discovery } from '../../i18n/discovery'
import { ChannelCount } from './ChannelCount'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'
import { type Search, listedBy, orders } from './search'

/** The line above a list of channels: how many they are, and in which order. */
export const ChannelLine = ({ search }: { search: Search }) => (
  <Group wrap="nowrap" gap={16} justify="space-between" c="dimmed" fz="sm" fw={600} className={classes.line}>
    <ChannelCount search={listedBy(search)} />
    <ChannelOrder search={search} />
  </Group>
)

/** There is nothing to choose while searching. */
function ChannelOrder({ search }: { search: Search }) {
  if (search.q) return null
  return (
    <Flex component="nav" flex="none" me={-8} aria-label={discovery.order}>
      {orders.map((order) => (
        <Link
          key={order}
          to="/channels"
          search={{ ...search, sort: order === 'popular' ? undefined : order }}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
          className={`${ui.quietLink} ${classes.order}`}
          resetScroll={false}
        >
          {discovery.orders[order]}
        </Link>
      ))}
    </Flex>
  )
}

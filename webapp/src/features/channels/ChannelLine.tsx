import { Flex, Group, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChannelSearch, channelsQuery } from '../../data/channels'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'
import { type Search, listedBy, orders } from './search'

/** The line above a list of channels: how many they are, and in which order. */
export const ChannelLine = ({ search }: { search: Search }) => (
  <Group gap="0 16px" justify="space-between" c="dimmed" fz="sm" fw={600} className={classes.line}>
    <ChannelCount search={listedBy(search)} />
    <ChannelOrder search={search} />
  </Group>
)

/** How many channels there are of what is looked for. Says nothing when there are none, as the list does then. */
function ChannelCount({ search }: { search: ChannelSearch }) {
  const { data: total = 0 } = useInfiniteQuery({
    ...channelsQuery(search),
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages[0]?.meta.total,
  })
  return (
    <Text inherit truncate miw={0} aria-live="polite">
      {total > 0 && words.channels.found(total)}
    </Text>
  )
}

/** There is nothing to choose while searching. */
function ChannelOrder({ search }: { search: Search }) {
  if (search.q) return null
  return (
    <Flex component="nav" wrap="wrap" me={-8} aria-label={discovery.order}>
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

import { Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ChannelSearch, channelsQuery } from '../../data/channels'
import { words } from '../../i18n/words'

/** How many channels there are of what is looked for. Says nothing when there are none, as the list does then. */
export function ChannelCount({ search }: { search: ChannelSearch }) {
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

import { Text, VisuallyHidden } from '@mantine/core'
import type { NotificationPage } from '@sininho/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { words } from '../../i18n/words'
import { LoadMore } from '../../ui/LoadMore'

type Props = {
  query: UseInfiniteQueryResult<InfiniteData<NotificationPage>>
  /** The number of pages at the end of which all is in groups further up. */
  inGroups: number
  /** What is said at the end. */
  last?: string
}

/** The number of pages without a row of their own after which no more are loaded by scrolling. */
const mostInGroups = 5

/** More of a list, or its end. */
export const ListEnd = ({ query, inGroups, last }: Props) => (
  <>
    <LoadMore query={query} byItself={inGroups < mostInGroups} />
    {last && !query.hasNextPage && (
      <Text py={16} c="dimmed" fz="sm" ta="center">
        {last}
      </Text>
    )}
    <VisuallyHidden role="status">{query.isFetchingNextPage ? words.loading : ''}</VisuallyHidden>
  </>
)

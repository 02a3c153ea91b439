import { Box, Text, Title } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../ui/Loaded'
import { LoadMore } from '../../ui/LoadMore'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'

type Props<T> = {
  title: string
  /** Stands in place of an empty list. */
  none: string
  query: UseInfiniteQueryResult<{ pages: { data: T[] }[] }>
  children: (item: T) => ReactNode
}

/** What happened between this server and a program, the latest first. */
export const Log = <T,>({ title, none, query, children }: Props<T>) => (
  <section aria-label={title}>
    <Title order={2} size="h4">
      {title}
    </Title>
    <Loaded query={query} skeleton={<BlockSkeleton height={52} />}>
      {({ pages }) =>
        pages[0]?.data.length ? (
          <Box component="ul" className={ui.rows}>
            {pages.flatMap(({ data }) => data.map(children))}
          </Box>
        ) : (
          <Text c="dimmed" fz="sm">
            {none}
          </Text>
        )
      }
    </Loaded>
    <LoadMore query={query} byItself={false} />
  </section>
)

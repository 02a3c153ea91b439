import { Box, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { outcomeQuery, publishedQuery } from '../../data/studio'
import { numbers as words } from '../../i18n/numbers'
import { studioPageOf } from '../../lib/paths'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import { mostOpened } from './figures'
import { Section } from './Section'

/** How many of the latest are compared, each by a request. */
const compared = 20

/** The notifications that most people opened, of the latest ones. */
export function OpenedMost({ channel }: { channel: Channel }) {
  const published = useInfiniteQuery(publishedQuery(channel))
  const latest = published.data?.pages.flatMap(({ data }) => data).slice(0, compared) ?? []
  const outcomes = useQueries({
    queries: latest.map(({ id }) => ({ ...outcomeQuery(channel, id), refetchInterval: false as const })),
  })
  const best = mostOpened(latest.map((notification, index) => ({ notification, outcome: outcomes[index]?.data })))
  if (published.isPending || outcomes.some(({ isLoading }) => isLoading)) return <BlockSkeleton height={120} />
  return (
    <Section title={words.worked}>
      <Text c="dimmed" fz="sm">
        {best.length > 0 ? words.workedText : words.nobodyOpened}
      </Text>
      {best.length > 0 && (
        <Box component="ol" className={ui.rows}>
          {best.map(({ notification, outcome }) => (
            <Box component="li" key={notification.id} py={8}>
              <Link {...studioPageOf(channel, '', { id: notification.id })} className={ui.link} dir="auto">
                {notification.title}
              </Link>
              <Text c="dimmed" fz="sm">
                {words.openedBy(outcome.opened, outcome.displayed)}
              </Text>
            </Box>
          ))}
        </Box>
      )}
    </Section>
  )
}

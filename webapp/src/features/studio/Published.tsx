import { Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { publishedQuery } from '../../data/studio'
import { studio } from '../../i18n/studio'
import { ErrorPanel } from '../../ui/ErrorPanel'
import { LoadMore } from '../../ui/LoadMore'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import { PublishedRow } from './PublishedRow'

const words = studio.channel

type Props = {
  channel: Channel
  /** The id of the notification of which is shown what became of it. */
  opened?: string
  onOpen: (id: string | undefined) => void
}

/** What a channel has published, the latest first. */
export function Published({ channel, opened, onOpen }: Props) {
  const query = useInfiniteQuery(publishedQuery(channel))
  const published = query.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack component="section" aria-labelledby="published" gap={8}>
      <Title id="published" order={2} size="h3">
        {words.published}
      </Title>
      {!published &&
        (query.error ? (
          <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <BlockSkeleton height={120} />
        ))}
      {published?.length === 0 && (
        <Text c="dimmed">
          {words.nothing}{' '}
          {channel.subscriberCount === 0 && (channel.visibility === 'private' ? words.uninvited : words.unknown)}
        </Text>
      )}
      <Paper component="ul" withBorder={!!published?.length} px={16} className={ui.rows}>
        {published?.map((notification) => (
          <PublishedRow
            key={notification.id}
            channel={channel}
            notification={notification}
            open={notification.id === opened}
            onOpen={onOpen}
          />
        ))}
      </Paper>
      <LoadMore query={query} />
    </Stack>
  )
}

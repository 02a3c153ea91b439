import { Flex, Group, Title } from '@mantine/core'
import { IconMoodEmpty } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { channelsQuery } from '../../data/channels'
import { publisherQuery } from '../../data/publishers'
import { ChannelList } from '../../features/channels/ChannelList'
import { FollowAll } from '../../features/channels/FollowAll'
import { PublisherHeader } from '../../features/channels/PublisherHeader'
import { PublisherLatest } from '../../features/channels/PublisherLatest'
import { discovery } from '../../i18n/discovery'
import ChannelMissing from '../../ui/ChannelMissing'
import { Column } from '../../ui/Column'
import { EmptyState } from '../../ui/EmptyState'

export const Route = createFileRoute('/channels/$publisherSlug/')({
  loader: async ({ context: { queryClient }, params: { publisherSlug } }) => {
    void queryClient.prefetchInfiniteQuery(channelsQuery({ publisher: publisherSlug }))
    if (!(await queryClient.ensureQueryData(publisherQuery(publisherSlug)))) throw notFound()
  },
  notFoundComponent: () => (
    <Column>
      <ChannelMissing title={discovery.publisher.missing} heading />
    </Column>
  ),
  component: PublisherPage,
})

function PublisherPage() {
  const { publisherSlug } = Route.useParams()
  const { data: publisher } = useSuspenseQuery(publisherQuery(publisherSlug))
  const { title, text } = discovery.publisher.none
  return (
    <Column wide>
      {publisher && <PublisherHeader publisher={publisher} />}
      <Flex aria-labelledby="channels" component="section" gap={12} direction="column">
        <Group justify="space-between" gap="0 16px" mih={44}>
          <Title id="channels" order={2} fz="lg">
            {discovery.publisher.channels}
          </Title>
          <FollowAll publisher={publisherSlug} />
        </Group>
        <ChannelList
          key={publisherSlug}
          search={{ publisher: publisherSlug }}
          empty={<EmptyState icon={<IconMoodEmpty />} title={title} text={text} />}
        />
      </Flex>
      {publisher && publisher.channelCount > 0 && <PublisherLatest key={publisherSlug} publisher={publisher} />}
    </Column>
  )
}

import { Flex, Paper, Title } from '@mantine/core'
import type { Publisher } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { publisherLatestQuery } from '../../data/publisher-latest'
import { discovery } from '../../i18n/discovery'
import { NotificationRow } from '../../ui/NotificationRow'
import ui from '../../ui/ui.module.css'

/** A publisher's latest notifications, whichever its channel. Renders nothing until they are here. */
export function PublisherLatest({ publisher: { slug, name } }: { publisher: Publisher }) {
  const { data = [] } = useQuery(publisherLatestQuery(slug))
  if (data.length === 0) return null
  return (
    <Flex aria-labelledby="latest" component="section" gap={12} direction="column">
      <Title id="latest" order={2} fz="lg" dir="auto">
        {discovery.publisher.latest(name)}
      </Title>
      <Paper component="ul" withBorder className={ui.rows} style={{ overflow: 'hidden' }}>
        {data.map((notification) => (
          <li key={notification.id}>
            <NotificationRow notification={notification} withBody />
          </li>
        ))}
      </Paper>
    </Flex>
  )
}

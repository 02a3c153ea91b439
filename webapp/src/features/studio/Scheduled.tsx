import { Group, Stack, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { scheduledQuery, studioKeys } from '../../data/studio'
import { studio } from '../../i18n/studio'
import { studioPageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { ScheduledRow } from './ScheduledRow'

/** Milliseconds after the time of a notification, by which it has been published. */
const published = 1500

/** What a channel is going to publish, the soonest first. What leaves moves to what was published by itself. */
export function Scheduled({ channel }: { channel: Channel }) {
  const { data: scheduled = [], dataUpdatedAt } = useQuery(scheduledQuery(channel))
  const client = useQueryClient()
  const next = scheduled[0]?.scheduledAt
  useEffect(() => {
    if (!next) return undefined
    const wait = Math.max(new Date(next).getTime() - Date.now(), 0) + published
    if (wait > longestTimer) return undefined
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: studioKeys.notifications(channel) }), wait)
    return () => clearTimeout(timer)
  }, [next, dataUpdatedAt, client, channel])
  if (scheduled.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="scheduled" gap={8}>
      <Group justify="space-between" gap={8}>
        <Title id="scheduled" order={2} size="h3">
          {studio.channel.scheduled}
        </Title>
        <LinkButton {...studioPageOf(channel, 'month')} size="sm" variant="subtle" px={12} me={-12}>
          {studio.channel.month}
        </LinkButton>
      </Group>
      <ul>
        {scheduled.map((notification) => (
          <ScheduledRow key={notification.id} channel={channel} notification={notification} />
        ))}
      </ul>
    </Stack>
  )
}

/** Milliseconds: browsers run a longer timer at once. */
const longestTimer = 2 ** 31 - 1

import { Flex, Group, Paper, Text, Title } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { latestQuery } from '../../data/notifications'
import { notification as words } from '../../i18n/notification'
import { words as common } from '../../i18n/words'
import { notificationPageOf, pageOf } from '../../lib/paths'
import { DatedMoment } from '../../ui/DatedMoment'
import ui from '../../ui/ui.module.css'
import classes from './feed.module.css'

const shown = 3

/** The latest other notifications of a notification's channel. Renders nothing until there are some. */
export function MoreNotifications({ of: { id, channel } }: { of: Notification }) {
  const heading = useId()
  const { data = [] } = useQuery(latestQuery(channel))
  const others = data.filter((each) => each.id !== id).slice(0, shown)
  if (others.length === 0) return null
  return (
    <Flex aria-labelledby={heading} component="section" gap={4} direction="column">
      <Group wrap="nowrap" justify="space-between" gap={16}>
        <Title id={heading} order={2} miw={0} size="h3" dir="auto">
          {words.more(channel.name)}
        </Title>
        <Link {...pageOf(channel)} className={ui.link}>
          {common.channels.see}
        </Link>
      </Group>
      <Paper component="ul" withBorder className={ui.rows} style={{ overflow: 'clip' }}>
        {others.map((other) => (
          <li key={other.id}>
            <Link {...notificationPageOf(channel, other.id)} className={`${ui.row} ${classes.other}`}>
              <Text span lineClamp={2} flex="1 1 10rem" fw={550} dir="auto">
                {other.title}
              </Text>
              {other.publishedAt && <DatedMoment at={other.publishedAt} />}
              {other.body && (
                <Text span truncate c="dimmed" fz="sm" flex="1 0 100%" dir="auto">
                  {other.body}
                </Text>
              )}
            </Link>
          </li>
        ))}
      </Paper>
    </Flex>
  )
}

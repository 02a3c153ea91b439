import { Flex, Skeleton, Stack, Text } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { notificationPageOf } from '../lib/paths'
import { iconOf } from '../lib/pictures'
import { ChannelIcon } from './ChannelIcon'
import { DatedMoment } from './DatedMoment'
import classes from './ui.module.css'

type Props = {
  notification: Notification
  /** Shows the first line of the text too. */
  withBody?: boolean
}

/** A notification in a list of several channels' latest, which leads to its page. */
export function NotificationRow({ notification, withBody = false }: Props) {
  const { id, channel, title, body, publishedAt } = notification
  return (
    <Link {...notificationPageOf(channel, id)} className={`${classes.row} ${classes.notification}`}>
      <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} size={44} />
      <Flex component="span" direction="column" flex={1} gap={2} miw={0}>
        <Flex component="span" justify="space-between" gap={16}>
          <Text span truncate c="dimmed" fz="sm" dir="auto">
            {channel.name}
          </Text>
          {publishedAt && <DatedMoment at={publishedAt} />}
        </Flex>
        <Text span lineClamp={withBody && body ? 1 : 2} fw={600} dir="auto">
          {title}
        </Text>
        {withBody && body && (
          <Text span truncate c="dimmed" fz="sm" dir="auto">
            {body}
          </Text>
        )}
      </Flex>
    </Link>
  )
}

/** Stands in the place of a row that is not loaded yet. */
export const NotificationRowSkeleton = () => (
  <div className={classes.notification}>
    <Skeleton width={44} height={44} radius={11} />
    <Stack flex={1} gap={10}>
      <Skeleton height={12} width="30%" />
      <Skeleton height={14} width="64%" />
    </Stack>
  </div>
)

import { Flex, Group, Paper, Stack, Text } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pageOf } from '../../lib/paths'
import { iconOf, imageOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { DatedMoment } from '../../ui/DatedMoment'
import { LinkedText } from '../../ui/LinkedText'
import { ifLoaded } from '../../ui/onDemand'
import { PictureButton } from '../../ui/PictureButton'
import ui from '../../ui/ui.module.css'
import { Marks } from './Marks'
import classes from './feed.module.css'
import { OutLink } from './OutLink'

const Listen = ifLoaded(() => import('./Listen'))

type Props = {
  notification: Notification
  title: ReactNode
  /** The channel's publisher, below the channel. */
  by?: ReactNode
  /** Follows the channel. */
  follow?: ReactNode
  actions?: ReactNode
}

/** A whole notification. `title` is its heading, whose level depends on the screen. */
export function NotificationView({ notification, title, by, follow, actions }: Props) {
  const { id, channel, body, importance, publishedAt, editedAt, link } = notification
  const image = imageOf(notification)
  return (
    <Paper withBorder radius={16} className={`${ui.card} ${classes.view}`}>
      <Stack>
        <Flex component="header" align="center" wrap="wrap" gap={12}>
          <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} size={44} />
          <Stack gap={0} flex="1 1 8rem" miw={0}>
            <Text span truncate fw={600} dir="auto">
              <Link {...pageOf(channel)} className={ui.quiet}>
                {channel.name}
              </Link>
            </Text>
            {by && <Text variant="hint">{by}</Text>}
          </Stack>
          {follow}
        </Flex>
        <Stack gap={4}>
          <div dir="auto">{title}</div>
          <Group gap="0 8px" c="dimmed" fz="sm">
            {publishedAt && <DatedMoment at={publishedAt} />}
            <Marks importance={importance} editedAt={editedAt} />
          </Group>
        </Stack>
        {body && (
          <Text fz={17} style={{ whiteSpace: 'pre-line' }} dir="auto">
            <LinkedText>{body}</LinkedText>
          </Text>
        )}
        {image && <PictureButton src={image} of={notification.title} className={classes.large} />}
        <Group gap="0 16px">
          <OutLink id={id} link={link} />
          <Listen of={notification} />
        </Group>
        {actions && <Group className={`${ui.ruled} ${classes.actions}`}>{actions}</Group>}
      </Stack>
    </Paper>
  )
}

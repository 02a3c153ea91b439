import { Box, Group, Text, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { number, words } from '../../i18n/words'
import { pageOf, publisherPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Marked } from '../../ui/Marked'
import { ChannelBell } from './ChannelBell'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'
import { FollowButton } from './FollowButton'
import { FoundDescription } from './FoundDescription'

type Props = {
  channel: Channel
  /** Shows the category instead of the publisher, because the whole list is of that publisher. */
  ofPublisher?: boolean
  /** What was searched for, to be marked. */
  q?: string
}

/** A channel in a list, as one row that leads to its page. */
export function ChannelCard({ channel, ofPublisher = false, q }: Props) {
  const { name, publisher, category, description, subscriberCount } = channel
  return (
    <li className={classes.card}>
      <Text span style={{ gridArea: 'icon' }}>
        <ChannelIcon icon={iconOf(channel)} name={name} size={48} />
      </Text>
      <Box miw={0} style={{ gridArea: 'head', alignSelf: 'center' }}>
        <Title order={ofPublisher ? 3 : 2} fz="md" fw={650} lh={1.3} className={classes.name} dir="auto">
          <Text span truncate inherit display="block">
            <Link {...pageOf(channel)} className={classes.to}>
              <Marked q={q}>{name}</Marked>
            </Link>
          </Text>
        </Title>
        <Text c="dimmed" fz="sm" lh={1.3} className={classes.meta}>
          <Text span truncate inherit className={classes.by} dir="auto">
            {ofPublisher ? (
              words.channels.category(category.name)
            ) : (
              <Link {...publisherPageOf(publisher.slug)} className={`${ui.quiet} ${classes.publisher}`}>
                <Marked q={q}>{publisher.name}</Marked>
              </Link>
            )}
          </Text>
          <span className={classes.followers}>
            <span className={subscriberCount > 0 ? classes.inWords : undefined}>
              {words.channels.followers(subscriberCount)}
            </span>
            {subscriberCount > 0 && (
              <span className={classes.inShort} aria-hidden>
                <IconUsers size={14} />
                {number(subscriberCount)}
              </span>
            )}
          </span>
        </Text>
      </Box>
      {(q ?? description) && (
        <Text lineClamp={2} fz="sm" lh={1.4} className={classes.description} dir="auto">
          {q ? <FoundDescription channel={channel} q={q} /> : description}
        </Text>
      )}
      <Group wrap="nowrap" gap={4} pos="relative" h={34} style={{ gridArea: 'action' }}>
        {channel.following && (
          <span className={classes.bell}>
            <ChannelBell channel={channel} />
          </span>
        )}
        <FollowButton channel={channel} compact />
      </Group>
    </li>
  )
}

import { Alert, Flex, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel, Publisher } from '@sininho/sdk'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { channelsOfQuery } from '../../data/publishers'
import { access } from '../../i18n/access'
import { memberships } from '../../i18n/memberships'
import { words } from '../../i18n/words'
import { publisherPageOf, studioPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import classes from './membership.module.css'
import { StorageUse } from './StorageUse'

/** A publisher with its channels. The reason of a suspension of the publisher stands once, not at each channel. */
export function Membership({ publisher: { name, slug, role, suspension } }: { publisher: Publisher }) {
  const query = useQuery(channelsOfQuery(slug))
  const id = useId()
  return (
    <Paper aria-labelledby={id} component="section" withBorder p={{ base: 16, sm: '20px 24px' }}>
      <Stack gap={8}>
        <Group justify="space-between" gap="0 12px">
          <div>
            <Title id={id} order={3} dir="auto">
              {suspension ? (
                name
              ) : (
                <Link {...publisherPageOf(slug)} className={ui.quiet}>
                  {name}
                </Link>
              )}
            </Title>
            <Text variant="hint">{role && memberships.roles[role]}</Text>
          </div>
          <Link to="/studio/$publisherSlug" params={{ publisherSlug: slug }} className={ui.link}>
            {access.open}
          </Link>
        </Group>
        {suspension && <Suspended reason={suspension.reason} />}
        <Loaded query={query} skeleton={<BlockSkeleton height={64} />}>
          {(channels) =>
            channels.length === 0 ? (
              <Text variant="hint">{memberships.noChannels}</Text>
            ) : (
              <ul>
                {channels.map((channel) => (
                  <li key={channel.id} className={classes.channelLine}>
                    <ChannelRow channel={channel} reason={suspension ? undefined : channel.suspension?.reason} />
                    {!suspension && !channel.suspension && (
                      <LinkButton
                        {...studioPageOf(channel, 'write')}
                        size="sm"
                        aria-label={memberships.writeIn(channel.name)}
                      >
                        {memberships.write}
                      </LinkButton>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        <StorageUse publisher={slug} />
      </Stack>
    </Paper>
  )
}

function ChannelRow({ channel, reason }: { channel: Channel; reason?: string }) {
  const { name, subscriberCount, notificationCount } = channel
  return (
    <Link {...studioPageOf(channel)} className={`${ui.row} ${classes.channel}`}>
      <ChannelIcon icon={iconOf(channel)} name={name} size={40} />
      <Flex component="span" miw={0} direction="column">
        <Text span fw={550} dir="auto">
          {name}
        </Text>
        <Meta>
          {words.channels.followers(subscriberCount)}
          {words.channels.notifications(notificationCount)}
        </Meta>
        {reason !== undefined && <Suspended reason={reason} />}
      </Flex>
    </Link>
  )
}

const Suspended = ({ reason }: { reason: string }) => (
  <Alert color="danger" icon={<IconAlertTriangle size={18} aria-hidden />} my={6} p="8px 12px" role={undefined}>
    <span dir="auto">{memberships.suspended(reason)}</span>
  </Alert>
)

import { Group, Stack } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconPencil } from '@tabler/icons-react'
import { studio } from '../../i18n/studio'
import { words } from '../../i18n/words'
import { studioPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { BackLink } from '../../ui/BackLink'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkButton } from '../../ui/LinkButton'
import { Meta } from '../../ui/Meta'
import { PageTitle } from '../../ui/PageTitle'
import type { ChosenVisibility } from './VisibilityChoice'
import classes from './studio.module.css'

/** The channel in which somebody publishes, and the way to write in it. */
export function StudioHeader({ channel }: { channel: Channel }) {
  const { name, publisher, visibility, subscriberCount } = channel
  return (
    <Stack align="start">
      <BackLink to="/studio">{studio.title}</BackLink>
      <Group wrap="nowrap" gap={16} align="start">
        <ChannelIcon icon={iconOf(channel, 'portrait')} name={name} size={64} main />
        <div className={classes.grow}>
          <PageTitle>{name}</PageTitle>
          <Meta>
            {publisher.name}
            {words.channels.followers(subscriberCount)}
            {studio.visibility.short[visibility as ChosenVisibility]}
          </Meta>
        </div>
      </Group>
      <LinkButton
        {...studioPageOf(channel, 'write')}
        w={{ base: '100%', xs: 'auto' }}
        leftSection={<IconPencil size={20} aria-hidden />}
      >
        {studio.write}
      </LinkButton>
    </Stack>
  )
}

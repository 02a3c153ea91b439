import { Group } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconPencil } from '@tabler/icons-react'
import { studio } from '../../i18n/studio'
import { words } from '../../i18n/words'
import { pageOf, studioPageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { BackLink } from '../../ui/BackLink'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkButton } from '../../ui/LinkButton'
import { Meta } from '../../ui/Meta'
import { PageTitle } from '../../ui/PageTitle'
import type { ChosenVisibility } from './VisibilityChoice'
import classes from './studio.module.css'

/** The channel in which somebody publishes, and the ways from there. */
export function StudioHeader({ channel }: { channel: Channel }) {
  const { name, publisher, visibility, subscriberCount } = channel
  return (
    <>
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
      <Group gap={8} my={16}>
        <LinkButton {...studioPageOf(channel, 'write')} leftSection={<IconPencil size={20} aria-hidden />}>
          {studio.write}
        </LinkButton>
        <LinkButton {...studioPageOf(channel, 'poster')} variant="default">
          {studio.channel.poster}
        </LinkButton>
        <LinkButton {...studioPageOf(channel, 'edit')} variant="default">
          {studio.channel.edit}
        </LinkButton>
        {visibility === 'private' && (
          <LinkButton {...studioPageOf(channel, 'members')} variant="default">
            {studio.channel.members}
          </LinkButton>
        )}
        <LinkButton {...studioPageOf(channel, 'webhooks')} variant="default">
          {studio.channel.webhooks}
        </LinkButton>
        <LinkButton {...studioPageOf(channel, 'numbers')} variant="default">
          {studio.channel.numbers}
        </LinkButton>
        <LinkButton {...pageOf(channel)} variant="subtle">
          {studio.page}
        </LinkButton>
      </Group>
    </>
  )
}

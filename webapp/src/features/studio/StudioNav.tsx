import { Button, type ButtonProps, SimpleGrid } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import {
  type Icon,
  IconChartBar,
  IconExternalLink,
  IconPlug,
  IconQrcode,
  IconSettings,
  IconShare2,
  IconUsers,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { shareMutation } from '../../data/share'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { formatChannel, pageOf, studioPageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'

const words = studio.channel

const look = (IconOf: Icon): ButtonProps => ({
  size: 'sm',
  variant: 'default',
  justify: 'start',
  fullWidth: true,
  leftSection: <IconOf size={20} aria-hidden />,
})

/** The ways from a channel to what can be seen and arranged of it: as many beside each other as have room. */
export function StudioNav({ channel }: { channel: Channel }) {
  const { name, visibility } = channel
  const share = useMutation(shareMutation())
  return (
    <SimpleGrid
      component="nav"
      aria-label={words.ways(name)}
      type="container"
      cols={{ base: 1, '18rem': 2, '34rem': 3 }}
      spacing={8}
    >
      <LinkButton {...studioPageOf(channel, 'numbers')} {...look(IconChartBar)}>
        {words.numbers}
      </LinkButton>
      {visibility === 'private' ? (
        <LinkButton {...studioPageOf(channel, 'members')} {...look(IconUsers)}>
          {words.members}
        </LinkButton>
      ) : (
        <Button
          {...look(IconShare2)}
          onClick={() => share.mutate({ title: name, path: `/channels/${formatChannel(channel)}` })}
        >
          {common.feed.share}
        </Button>
      )}
      <LinkButton {...studioPageOf(channel, 'poster')} {...look(IconQrcode)}>
        {words.poster}
      </LinkButton>
      <LinkButton {...pageOf(channel)} {...look(IconExternalLink)}>
        {studio.page}
      </LinkButton>
      <LinkButton {...studioPageOf(channel, 'edit')} {...look(IconSettings)}>
        {words.edit}
      </LinkButton>
      <LinkButton {...studioPageOf(channel, 'webhooks')} {...look(IconPlug)}>
        {words.webhooks}
      </LinkButton>
    </SimpleGrid>
  )
}

import { Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { memo } from 'react'
import { studio } from '../../i18n/studio'
import { iconOf } from '../../lib/pictures'
import { safeLink } from '../../lib/paths'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LockScreen } from '../../ui/LockScreen'
import { Picture } from '../../ui/Picture'
import { type Message, addressOf } from './message'
import classes from './studio.module.css'
import { titleAndBody } from './text'

const words = studio.composer

/** How readers will see a message: on a phone that is locked, and in the list of notifications. */
export const Preview = memo(function Preview({ channel, message }: { channel: Channel; message: Message }) {
  const { title, body } = titleAndBody(message.text)
  const image = safeLink(addressOf(message.image.trim()))?.href
  const shown = { title: title || words.sample, body }
  return (
    <Stack component="section" aria-label={words.preview} gap={12} miw={0}>
      <Title order={2} size="h4" c="dimmed" fw={550}>
        {words.lockScreen}
      </Title>
      <LockScreen app={channel.name} when={words.when} icon={iconOf(channel) ?? '/icon-192.png'} {...shown} />
      <Title order={2} size="h4" c="dimmed" fw={550} mt={8}>
        {words.feed}
      </Title>
      <Paper withBorder p={16} className={classes.card}>
        <ChannelIcon icon={iconOf(channel)} name={channel.name} size={40} />
        <div className={classes.grow}>
          <Text c="dimmed" fz="sm" dir="auto">
            {channel.name}
            {message.important && ` · ${words.important}`}
          </Text>
          <Text fw={600} dir="auto" className={classes.words}>
            {shown.title}
          </Text>
          {body && (
            <Text lineClamp={4} dir="auto" className={classes.words}>
              {body}
            </Text>
          )}
          {image && <Picture src={image} className={classes.picture} />}
        </div>
      </Paper>
    </Stack>
  )
})

import { Notification, Paper, Stack, Text, Title } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { memo, useState } from 'react'
import { studio } from '../../i18n/studio'
import { iconOf } from '../../lib/pictures'
import { safeLink } from '../../lib/paths'
import { namedBody } from '../../ui/arrivals'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Choice } from '../../ui/Choice'
import { LockScreen } from '../../ui/LockScreen'
import { Picture } from '../../ui/Picture'
import ui from '../../ui/ui.module.css'
import { type Message, addressOf } from './message'
import classes from './studio.module.css'
import { titleAndBody } from './text'

const words = studio.composer

/** How readers will see a message: on their device, while they have the app open, and in the list of notifications. */
export const Preview = memo(function Preview({ channel, message }: { channel: Channel; message: Message }) {
  const [device, setDevice] = useState<keyof typeof words.devices>('phone')
  const { title, body } = titleAndBody(message.text)
  const image = safeLink(addressOf(message.image.trim()))?.href
  const icon = iconOf(channel)
  const shown = { title: title || words.sample, body }
  return (
    <Stack component="section" aria-label={words.preview} gap={12} miw={0}>
      <Heading>{words.preview}</Heading>
      <Choice label={words.preview} options={words.devices} value={device} onChange={setDevice} />
      <LockScreen
        app={channel.name}
        when={words.when}
        icon={icon ?? '/icon-192.png'}
        desktop={device === 'desktop'}
        {...shown}
      />
      <Heading>{words.toast}</Heading>
      <Notification
        role="presentation" // it has not arrived
        title={shown.title}
        icon={icon && <Picture src={icon} width={50} height={50} />}
        withCloseButton={false}
        classNames={{ root: ui.arrival, icon: ui.place }}
      >
        <Text span inherit lineClamp={3}>
          {namedBody(channel.name, body)}
        </Text>
      </Notification>
      <Heading>{words.feed}</Heading>
      <Paper withBorder p={16} className={classes.card}>
        <ChannelIcon icon={icon} name={channel.name} size={40} />
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

const Heading = ({ children }: { children: string }) => (
  <Title order={2} size="h4" c="dimmed" fw={550} mt={8}>
    {children}
  </Title>
)

import { Button, Group, Text } from '@mantine/core'
import type { ChannelRef } from '@sininho/sdk'
import { useState } from 'react'
import { tune } from '../../i18n/tune'
import { words } from '../../i18n/words'
import type { Tuning } from './useTuning'

/** From so many unread notifications on, the reader is asked whether a channel is to ring for them. */
const many = 10

const key = 'sininho.tuned'
const asked = () => (localStorage.getItem(key) ?? '').split(' ')

type Props = { channel: ChannelRef; count: number; tuning: Tuning }

/** Asks, once for a channel, whether it is to ring less. */
export function TuneQuestion({ channel, count, tuning }: Props) {
  const [open, setOpen] = useState(() => count >= many && tuning.bell() === 'all' && !asked().includes(channel.id))
  if (!open) return null
  const choose = (act?: () => void) => () => {
    localStorage.setItem(key, [...asked(), channel.id].join(' ').trim())
    setOpen(false)
    act?.()
  }
  const question = tune.question(count, channel.name)
  return (
    <Group gap={8} px={16} py={8} role="group" aria-label={question}>
      <Text flex="1 1 14rem" fz="sm">
        {question}
      </Text>
      <Button size="sm" variant="default" onClick={choose(tuning.onlyImportant)}>
        {words.followed.bell.important}
      </Button>
      <Button size="sm" variant="default" onClick={choose(tuning.digest)}>
        {tune.digest}
      </Button>
      <Button size="sm" variant="default" onClick={choose(tuning.mute)}>
        {tune.mute}
      </Button>
      <Button size="sm" variant="subtle" onClick={choose()}>
        {tune.keep}
      </Button>
    </Group>
  )
}

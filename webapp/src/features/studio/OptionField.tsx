import { CloseButton, Flex, TextInput } from '@mantine/core'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { fieldOf } from '../../lib/date-field'
import type { Option } from './message'
import classes from './studio.module.css'

const words = studio.composer

/** An option with a field of one line; a picture has one of its own. */
type LineOption = Exclude<Option, 'image'>

const kinds: Record<LineOption, 'url' | 'datetime-local'> = {
  link: 'url',
  expiresAt: 'datetime-local',
  scheduledAt: 'datetime-local',
}

type Props = {
  option: LineOption
  value: string
  fault?: string
  onChange: (value: string) => void
  onRemove?: () => void
}

/** The field of something that may go along with a message, which was asked for by a button. */
export function OptionField({ option, value, fault, onChange, onRemove }: Props) {
  const [now] = useState(() => new Date())
  const kind = kinds[option]
  return (
    <Flex align="start" gap={8}>
      <TextInput
        type={kind}
        label={words.option[option]}
        description={words.hint[option]}
        className={classes.grow}
        maxLength={2048}
        min={kind === 'datetime-local' ? fieldOf(now) : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a button was pressed to show it
        autoFocus={value === ''}
        value={value}
        error={fault}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {onRemove && (
        <CloseButton size={44} mt="1.75rem" aria-label={words.remove(words.option[option])} onClick={onRemove} />
      )}
    </Flex>
  )
}

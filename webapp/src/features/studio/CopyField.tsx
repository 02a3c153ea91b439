import { ActionIcon, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { words } from '../../i18n/words'

type Props = { label: string; description?: string; value: string }

/** A text that is shown to be copied. */
export function CopyField({ label, description, value }: Props) {
  const { copy, copied } = useClipboard({ timeout: 2000 })
  return (
    <TextInput
      readOnly
      label={label}
      description={description}
      value={value}
      rightSectionWidth={44}
      rightSection={
        <ActionIcon aria-label={copied ? words.copied : words.copy} onClick={() => copy(value)}>
          {copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
        </ActionIcon>
      }
    />
  )
}

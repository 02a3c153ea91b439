import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { demo } from '../i18n/demo'
import { words } from '../i18n/words'
import classes from './ui.module.css'

/** Text to copy. Long lines scroll inside the box. */
export function Snippet({ label, text, note }: { label: string; text: string; note?: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className={classes.snippet} tabIndex={0} role="region" aria-label={demo.snippet(label)}>
        {text}
      </pre>
      <Group gap="0 16px" justify="space-between" p="8px 8px 8px 16px">
        <Text variant="hint" flex="1 1 8rem">
          {error ? words.copyFailed : note}
        </Text>
        <Button
          size="sm"
          variant="default"
          flex="none"
          leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
          onClick={() => copy(text)}
        >
          {copied ? words.copied : words.copy}
        </Button>
        <VisuallyHidden role="status">{copied ? words.copied : ''}</VisuallyHidden>
      </Group>
    </div>
  )
}

import { Button, Code, Group, Paper, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { words } from '../i18n/words'

type Props = { title: string; hint: string; secret: string; done: string; onDone: () => void }

/** A secret that is shown only once. Takes the focus, so that nobody overlooks it. */
export function Secret({ title, hint, secret, done, onDone }: Props) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const { copy, copied } = useClipboard({ timeout: 2000 })
  useEffect(() => panel.current?.focus(), [])
  return (
    <Paper ref={panel} role="group" aria-labelledby={id} tabIndex={-1} p={20} bg="var(--accent-soft)">
      <Text id={id} fz={17} fw={650}>
        {title}
      </Text>
      <Text>{hint}</Text>
      <Code block my={12} bd="1px solid var(--accent)" style={{ whiteSpace: 'normal', userSelect: 'all' }}>
        {secret}
      </Code>
      <Group>
        <Button leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />} onClick={() => copy(secret)}>
          {copied ? words.copied : words.copy}
        </Button>
        <Button variant="subtle" onClick={onDone}>
          {done}
        </Button>
      </Group>
    </Paper>
  )
}

import { Button, Group, Stack, Text } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { push } from '../i18n/push'
import { PushHints } from './PushHints'

type Props = {
  /** Why this device does not ring, if it does not. */
  silence?: 'off' | 'denied' | 'install' | 'unsupported'
  /** Why an attempt to have it ring failed. */
  error: Error | null
  enabling: boolean
  enable: () => void
  /** What else can be done about it. */
  children?: ReactNode
}

/** Says that this device does not ring, and has it ring or says why it cannot. Renders nothing if it rings. */
export default function SilentDevice({ silence, error, enabling, enable, children }: Props) {
  return (
    silence && (
      <Stack role="group" aria-label={push.silent} gap={8} w="100%">
        <Group gap={8}>
          <IconBellOff size={20} aria-hidden style={{ flex: 'none' }} />
          <Text fw={550} flex="1 1 8rem">
            {push.silent}
          </Text>
          {silence === 'off' && (
            <Button size="sm" loading={enabling} onClick={enable}>
              {push.ring}
            </Button>
          )}
          {children}
        </Group>
        <PushHints state={silence} error={error} />
      </Stack>
    )
  )
}

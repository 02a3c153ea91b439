import { Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  icon: ReactNode
  title: string
  text?: string
  children?: ReactNode
  role?: 'alert'
  /** Without an edge, as in a card. */
  bare?: boolean
}

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ icon, title, text, children, role, bare = false }: Props) {
  return (
    <Stack
      role={role}
      gap={8}
      align="center"
      p={bare ? '16px 0 0' : '48px 24px'}
      bd={bare ? undefined : '1px dashed var(--line)'}
      bdrs={12}
      ta="center"
    >
      <Center w={56} h={56} mb={8} bg="var(--accent-soft)" c="brand" bdrs="50%" aria-hidden>
        {icon}
      </Center>
      <Text fz={17} fw={600}>
        {title}
      </Text>
      {text && (
        <Text maw="44ch" mb={8} c="dimmed" textWrap="balance">
          {text}
        </Text>
      )}
      {children}
    </Stack>
  )
}

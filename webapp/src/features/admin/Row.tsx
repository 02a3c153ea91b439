import { Box, Flex, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  name: ReactNode
  children?: ReactNode
  /** What can be done, beside the words or, without room, below them. */
  actions?: ReactNode
  /** Before the words. */
  choice?: ReactNode
  /** The words take the whole width. */
  wide?: boolean
}

/** One thing in a list of the operators. */
export function Row({ name, children, actions, choice, wide = false }: Props) {
  return (
    <Flex component="li" wrap="wrap" align="center" gap="8px 16px" py={12}>
      {choice}
      <Box flex={wide ? '1 1 100%' : '1 1 260px'} miw={0}>
        <Text component="div" fw={600} lh={1.35}>
          {name}
        </Text>
        {children}
      </Box>
      {actions && <Group gap="4px 8px">{actions}</Group>}
    </Flex>
  )
}

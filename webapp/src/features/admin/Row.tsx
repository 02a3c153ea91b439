import { Box, Flex, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DatedMoment } from '../../ui/DatedMoment'

type Props = {
  name: ReactNode
  /** When it happened, at the end of the line of the name. */
  at?: string
  children?: ReactNode
  /** What can be done, beside the words or, without room, below them. */
  actions?: ReactNode
  /** Before the words. */
  choice?: ReactNode
  /** The words take the whole width. */
  wide?: boolean
}

/** One thing in a list of the operators. */
export function Row({ name, at, children, actions, choice, wide = false }: Props) {
  return (
    <Flex component="li" wrap="wrap" align="center" gap="8px 16px" py={12}>
      {choice}
      <Box flex={wide ? '1 1 100%' : '1 1 260px'} miw={0}>
        <Flex wrap="wrap" justify="space-between" align="baseline" gap="0 16px">
          <Text component="div" fw={600} lh={1.35} flex="1 1 10rem" miw={0}>
            {name}
          </Text>
          {at && <DatedMoment at={at} />}
        </Flex>
        {children}
      </Box>
      {actions && <Group gap="4px 8px">{actions}</Group>}
    </Flex>
  )
}

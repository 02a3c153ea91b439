import { Box, Center, Flex, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConfirmButton } from './ConfirmButton'

type Props = {
  icon: ReactNode
  /** The same icon is at all rows, so that on phones its room is for the words. */
  alike?: boolean
  name: ReactNode
  children: ReactNode
  /** Ends what the row is about, after a question. */
  end?: {
    label: string
    /** For screen readers, with what it ends. */
    name: string
    question: string
    text: string
    pending?: boolean
    onConfirm: () => void
  }
}

/** One of a person's or a publisher's tokens, keys, sessions, members or ways to sign in. */
export function Row({ icon, alike, name, children, end }: Props) {
  return (
    <Flex component="li" align="center" wrap="wrap" gap="0 12px" py={12}>
      <Center w={24} flex="none" c="dimmed" visibleFrom={alike ? 'sm' : undefined} aria-hidden>
        {icon}
      </Center>
      <Box flex="1 1 8rem" miw={0}>
        <Text fw={550}>{name}</Text>
        {children}
      </Box>
      {end && (
        <ConfirmButton
          size="sm"
          variant="subtle"
          color="danger"
          flex="none"
          me={-12}
          loading={end.pending}
          aria-label={end.name}
          question={end.question}
          text={end.text}
          onConfirm={end.onConfirm}
        >
          {end.label}
        </ConfirmButton>
      )}
    </Flex>
  )
}

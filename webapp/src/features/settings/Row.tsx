import { Box, Button, Center, Flex, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../../ui/Confirm'

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

/** One of a person's tokens, sessions or ways to sign in. */
export function Row({ icon, alike, name, children, end }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <Flex component="li" align="center" gap={12} py={12}>
      <Center w={24} flex="none" c="dimmed" visibleFrom={alike ? 'sm' : undefined} aria-hidden>
        {icon}
      </Center>
      <Box flex={1} miw={0}>
        <Text fw={550}>{name}</Text>
        {children}
      </Box>
      {end && (
        <Button
          size="sm"
          variant="subtle"
          color="danger"
          flex="none"
          me={-12}
          loading={end.pending}
          aria-label={end.name}
          onClick={() => setAsking(true)}
        >
          {end.label}
        </Button>
      )}
      {end && asking && (
        <Confirm
          question={end.question}
          text={end.text}
          action={end.label}
          onClose={() => setAsking(false)}
          onConfirm={end.onConfirm}
        />
      )}
    </Flex>
  )
}

import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { waitlist } from '../../i18n/waitlist'
import classes from './waitlist.module.css'

/** Says what happens next, the same whether or not the list knew the address. Takes the focus from the form. */
export function Sent({ to, onAgain }: { to: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Paper withBorder p={{ base: 0, sm: 24 }} className={classes.form}>
      <Stack>
        <Title order={3} ref={heading} tabIndex={-1} fz={22}>
          {waitlist.join.sent}
        </Title>
        <Text>{waitlist.join.sentText(to)}</Text>
        <Text variant="hint">{waitlist.join.sentLate}</Text>
        <Button size="sm" variant="default" onClick={onAgain}>
          {waitlist.join.again}
        </Button>
      </Stack>
    </Paper>
  )
}

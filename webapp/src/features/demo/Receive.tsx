import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { demo } from '../../i18n/demo'
import ui from '../../ui/ui.module.css'
import { LinkButton } from '../../ui/LinkButton'

type Props = {
  signedIn: boolean
  /** Control that turns on and tests this device's notifications. */
  push: ReactNode
}

/** Leads step by step to a real system notification. */
export function Receive({ signedIn, push }: Props) {
  return (
    <Paper component="section" withBorder className={ui.card} aria-labelledby="receive">
      <Stack gap={12} align="flex-start">
        <Title id="receive" order={2} size="h3">
          {demo.receive.title}
        </Title>
        <Text c="dimmed">{demo.receive.text}</Text>
        {signedIn ? (
          push
        ) : (
          <LinkButton variant="default" to="/login" search={{ redirect: '/demo' }}>
            {demo.receive.signIn}
          </LinkButton>
        )}
      </Stack>
    </Paper>
  )
}

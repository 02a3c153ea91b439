import { Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import ui from '../../ui/ui.module.css'

type Props = { title: string; children: ReactNode; /** The section's fragment in the URL. */ hash?: string }

export function Section({ title, children, hash }: Props) {
  const id = useId()
  return (
    <Paper component="section" withBorder className={ui.card} id={hash} aria-labelledby={id}>
      <Stack>
        <Title id={id} order={2} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

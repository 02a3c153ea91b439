import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import ui from '../../ui/ui.module.css'

/** One of the cards of a screen, with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} withBorder className={ui.card}>
      <Title id={id} order={2} size="h3" mb={4} tabIndex={-1}>
        {title}
      </Title>
      {children}
    </Paper>
  )
}

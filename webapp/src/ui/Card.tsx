import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from './PageTitle'

/** A page with a single purpose. */
export function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Paper
      component="section"
      withBorder
      shadow="md"
      radius={16}
      maw={416}
      mt="8vh"
      mx="auto"
      p="clamp(24px, 8vw, 40px) clamp(12px, 6vw, 32px)"
    >
      <Stack align="center" ta="center">
        {icon}
        <PageTitle size="h2">{title}</PageTitle>
        {children}
      </Stack>
    </Paper>
  )
}

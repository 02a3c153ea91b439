import { Group, Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { words } from '../i18n/words'

/** Placeholder for a loading list of cards, of about their height. */
export function ListSkeleton({ rows = 4, tall = true }: { rows?: number; tall?: boolean }) {
  return (
    <Stack gap={8} aria-busy="true">
      <VisuallyHidden role="status">{words.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Paper key={row} withBorder p={16} aria-hidden>
          <Group gap={16} wrap="nowrap" align="stretch">
            <Skeleton width={48} height={48} radius={12} />
            <Stack flex={1} gap={10} justify="center">
              <Skeleton height={12} width="36%" />
              <Skeleton height={14} width={row % 2 ? '62%' : '78%'} />
              {tall && <Skeleton height={12} width={row % 2 ? '90%' : '54%'} />}
            </Stack>
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

/** Placeholder of a known height. */
export function BlockSkeleton({ label = words.loading, height }: { label?: string; height: number }) {
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Skeleton height={height} radius={12} />
    </div>
  )
}

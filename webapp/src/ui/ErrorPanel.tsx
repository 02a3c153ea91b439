import { Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { words } from '../i18n/words'
import { EmptyState } from './EmptyState'
import { useFirst } from './useFirst'

/**
 * Shown instead of data that could not be fetched: the error and a button that fetches again all that the screen lacks.
 * Further ones on the screen are a line.
 */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const client = useQueryClient()
  const first = useFirst()
  if (!first) return <Line>{words.errors.list}</Line>
  const retry = () => {
    onRetry()
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <EmptyState icon={<IconAlertTriangle />} title={words.errors.list} text={error.message} role="alert">
      <Button size="sm" variant="default" onClick={retry}>
        {words.tryAgain}
      </Button>
    </EmptyState>
  )
}

/** Shown when the connection was lost before anything was loaded. */
export function OfflinePanel() {
  if (!useFirst()) return <Line>{words.errors.offlineEmpty}</Line>
  return <EmptyState icon={<IconWifiOff />} title={words.errors.offlineEmpty} text={words.errors.offlineHint} />
}

const Line = ({ children }: { children: string }) => (
  <Text py={12} c="dimmed">
    {children}
  </Text>
)

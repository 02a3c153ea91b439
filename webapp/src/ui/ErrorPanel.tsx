import { Button } from '@mantine/core'
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react'
import { words } from '../i18n/words'
import { EmptyState } from './EmptyState'

/** Shown instead of data that could not be fetched: the error and a retry button. */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <EmptyState icon={<IconAlertTriangle />} title={words.errors.list} text={error.message} role="alert">
      <Button size="sm" variant="default" onClick={onRetry}>
        {words.tryAgain}
      </Button>
    </EmptyState>
  )
}

/** Shown when the connection was lost before anything was loaded. */
export function OfflinePanel() {
  return <EmptyState icon={<IconWifiOff />} title={words.errors.offlineEmpty} text={words.errors.offlineHint} />
}

import { Button } from '@mantine/core'
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react'
import { pt } from '../i18n/pt'
import { EmptyState } from './EmptyState'

/** Shown instead of data that could not be fetched: the error and a retry button. */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <EmptyState icon={<IconAlertTriangle />} title={pt.errors.list} text={error.message} role="alert">
      <Button variant="default" onClick={onRetry}>
        {pt.tryAgain}
      </Button>
    </EmptyState>
  )
}

/** Shown when the connection was lost before anything was loaded. */
export function OfflinePanel() {
  return <EmptyState icon={<IconWifiOff />} title={pt.errors.offlineEmpty} text={pt.errors.offlineHint} />
}

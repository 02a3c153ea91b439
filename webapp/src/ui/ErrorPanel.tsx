import { Button } from '@mantine/core'
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react'
import { pt } from '../i18n/pt'
import { EmptyState } from './EmptyState'

/** A list that could not be fetched: what happened, and another try. */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <EmptyState icon={<IconAlertTriangle />} title={pt.errors.list} text={error.message} role="alert">
      <Button variant="default" onClick={onRetry}>
        {pt.tryAgain}
      </Button>
    </EmptyState>
  )
}

/** Nothing was loaded before the connection was lost. */
export function OfflinePanel() {
  return <EmptyState icon={<IconWifiOff />} title={pt.errors.offlineEmpty} text={pt.errors.offlineHint} />
}

import type { Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy } from 'react'
import { reportMutation } from '../../data/reports'

const ReportDialog = lazy(() => import('../../ui/ReportDialog'))

type Props = { notification: Notification; onClose: () => void }

/** Reports a notification to the operators. Open while it is rendered. */
export function ReportNotification({ notification: { id, channel }, onClose }: Props) {
  const { mutate } = useMutation(reportMutation({ channel, notificationId: id }))
  return (
    <Suspense>
      <ReportDialog onReport={mutate} onClose={onClose} />
    </Suspense>
  )
}

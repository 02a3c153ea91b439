import type { Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { reportMutation } from '../../data/reports'
import ReportDialog from '../../ui/ReportDialog'

type Props = { notification: Notification; onClose: () => void }

/** Reports a notification to the operators. Open while it is rendered. */
export default function ReportNotification({ notification: { id, channel }, onClose }: Props) {
  const { mutate } = useMutation(reportMutation({ channel, notificationId: id }))
  return <ReportDialog onReport={mutate} onClose={onClose} />
}

import { VisuallyHidden } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { useBell } from './useBell'

/** The bell of a channel as a small mark. Renders nothing for the usual case: all notifications, not muted. */
export function BellMark({ subscription }: { subscription: Subscription }) {
  const { icon: Icon, label, mutedUntil } = useBell(subscription)
  if (subscription.bell === 'all' && !mutedUntil) return null
  return (
    <>
      <Icon size={16} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  )
}

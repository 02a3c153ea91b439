import { VisuallyHidden } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { useBell } from './useBell'

/** How a channel rings, where there is no room for its bell; nothing when it rings always, as most do. */
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

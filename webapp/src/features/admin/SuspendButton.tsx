import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { ReasonDialog } from './ReasonDialog'
import { type Suspendable, liftMutation, suspendMutation } from './mutations'

type Props = {
  what: Suspendable
  /** For the question and for screen readers. */
  name: string
  suspended: boolean
  /** Instead of "Suspender". */
  label?: string
  /** Without an edge. */
  subtle?: boolean
}

/** Suspends something, after asking why, or ends its suspension. */
export function SuspendButton({ what, name, suspended, label, subtle }: Props) {
  const suspend = useMutation(suspendMutation(what))
  const lift = useMutation(liftMutation(what))
  const [asking, setAsking] = useState(false)
  if (suspended) {
    return (
      <Button
        size="sm"
        variant="default"
        loading={lift.isPending}
        aria-label={admin.moderation.liftName(name)}
        onClick={() => lift.mutate()}
      >
        {admin.moderation.lift}
      </Button>
    )
  }
  return (
    <>
      <Button
        size="sm"
        variant={subtle ? 'subtle' : 'default'}
        color="danger"
        loading={suspend.isPending}
        aria-label={label ? undefined : admin.moderation.suspendName(name)}
        onClick={() => setAsking(true)}
      >
        {label ?? admin.moderation.suspend}
      </Button>
      {asking && (
        <ReasonDialog
          question={admin.moderation.question(name)}
          text={admin.moderation.consequences[what.kind]}
          hint={admin.moderation.whyHint}
          action={admin.moderation.suspend}
          onReason={suspend.mutate}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

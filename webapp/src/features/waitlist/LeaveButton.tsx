import { Button } from '@mantine/core'
import { useState } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { Confirm } from '../../ui/Confirm'

type Props = { invited: boolean; pending: boolean; onLeave: () => void }

export function LeaveButton({ invited, pending, onLeave }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" variant="subtle" loading={pending} onClick={() => setAsking(true)}>
        {waitlist.place.leave}
      </Button>
      {asking && (
        <Confirm
          question={waitlist.place.leaveQuestion}
          text={invited ? waitlist.place.leaveTextInvited : waitlist.place.leaveText}
          action={waitlist.place.leave}
          onConfirm={onLeave}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

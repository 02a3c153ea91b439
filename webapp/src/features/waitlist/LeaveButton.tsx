import { useState } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'

type Props = { invited: boolean; pending: boolean; onLeave: () => void }

export function LeaveButton({ invited, pending, onLeave }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="subtle" loading={pending} onClick={() => setAsking(true)}>
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

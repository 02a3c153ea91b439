import { Badge, Checkbox } from '@mantine/core'
import type { WaitlistEntry } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { dateLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from './Row'

type Props = { entry: WaitlistEntry; chosen: boolean; onChoose: () => void }

export function EntryRow({ entry, chosen, onChoose }: Props) {
  const { email, name, status, position, referrals, createdAt } = entry
  return (
    <Row
      name={email}
      choice={
        <Checkbox
          aria-label={admin.waitlist.choose(email)}
          checked={chosen}
          disabled={status === 'joined'}
          onChange={onChoose}
        />
      }
      actions={<Badge>{admin.waitlist.statusOf[status] ?? status}</Badge>}
    >
      <Meta>
        {name}
        {position ? admin.waitlist.position(position) : undefined}
        {referrals > 0 && admin.waitlist.referrals(referrals)}
        <Moment at={createdAt} label={(date) => admin.waitlist.since(dateLabel(date))} />
      </Meta>
    </Row>
  )
}

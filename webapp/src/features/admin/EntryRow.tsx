import type { WaitlistEntry } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { dateLabel } from '../../lib/dates'
import { Meta } from '../../ui/Meta'
import shared from './admin.module.css'

type Props = { entry: WaitlistEntry; chosen: boolean; onChoose: () => void }

export function EntryRow({ entry, chosen, onChoose }: Props) {
  const { email, name, status, position, referrals, createdAt } = entry
  return (
    <li className={shared.row}>
      <label className={shared.choice}>
        <input
          type="checkbox"
          aria-label={admin.waitlist.choose(email)}
          checked={chosen}
          disabled={status === 'joined'}
          onChange={onChoose}
        />
      </label>
      <div className={shared.words}>
        <p className={shared.name}>{email}</p>
        <Meta>
          {name}
          {position ? admin.waitlist.position(position) : undefined}
          {referrals > 0 && admin.waitlist.referrals(referrals)}
          {admin.waitlist.since(dateLabel(new Date(createdAt)))}
        </Meta>
      </div>
      <span className={shared.tag}>{admin.waitlist.statusOf[status] ?? status}</span>
    </li>
  )
}

import type { Notification } from '@sininho/sdk'
import { useMemo } from 'react'
import { words } from '../../i18n/words'
import { DayOfCards } from './DayOfCards'
import { NotificationCard, type OfList } from './NotificationCard'

type Props = { list: OfList; items: readonly Notification[]; openId?: string }

/** What is important or still valid, small and before all else. */
export function NowCards({ list, items, openId }: Props) {
  const small = useMemo(() => ({ ...list, form: 'small' }) as const, [list])
  return (
    <DayOfCards label={words.feed.now} rows={items.map((at) => ({ at }))} loadedWith={none} nested={false}>
      {({ at }) => (
        <NotificationCard key={at.id} notification={at} list={small} marked={at.id === openId ? 'open' : undefined} />
      )}
    </DayOfCards>
  )
}

const none: ReadonlyMap<string, number> = new Map()

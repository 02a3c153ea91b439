import type { Notification } from '@sininho/sdk'
import { useState } from 'react'
import { focusHeading } from '../../lib/focus'
import { useScrolledAway } from './useScrolledAway'

/**
 * While the reader is down in the list it stays as it was, so that nothing moves under their eyes; what arrived since
 * is counted, and shown once they are back at the top. Not where it is the arriving that one came to see.
 */
export function useHeldBack(items: Notification[], enabled = true) {
  const away = useScrolledAway() && enabled
  const [top, setTop] = useState<string>()
  if (away && top === undefined && items[0]) setTop(items[0].id)
  if (!away && top !== undefined) setTop(undefined)
  const from =
    away && top !== undefined
      ? Math.max(
          0,
          items.findIndex(({ id }) => id === top),
        )
      : 0
  return {
    shown: from > 0 ? items.slice(from) : items,
    arrived: from,
    showArrived: () => {
      setTop(items[0]?.id)
      scrollTo({ top: 0 })
      focusHeading() // what was pressed goes
    },
  }
}

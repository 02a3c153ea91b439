import type { Notification } from '@sininho/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { run } from '../../lib/query-client'
import { onDemand } from '../../ui/onDemand'
import { snoozeMutation } from './snoozing'

const SnoozeSheet = onDemand(() => import('./SnoozeSheet'))

export type Snoozing = {
  /** Asks until when a notification is postponed. `leave` is called before it leaves the list. */
  ask: (notification: Notification, leave?: () => void) => void
  /** Brings a postponed notification back at once. */
  bringBack: (notification: Notification) => void
  /** What is asked, to be rendered. */
  sheet: ReactNode
}

/** Postpones notifications. */
export function useSnoozing(): Snoozing {
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ of: Notification; leave?: () => void }>()
  const put = ({ id, archivedAt, snoozedUntil }: Notification, until?: Date) =>
    run(client, snoozeMutation(), {
      id,
      from: { archivedAt, snoozedUntil },
      to: { snoozedUntil: until?.toISOString() },
    })
  return {
    ask: (of, leave) => setAsked({ of, leave }),
    bringBack: (notification) => put(notification),
    sheet: asked && (
      <SnoozeSheet
        expiresAt={asked.of.expiresAt}
        snoozedUntil={asked.of.snoozedUntil}
        onClose={() => setAsked(undefined)}
        onChoose={(until) => {
          flushSync(() => setAsked(undefined)) // it gives the focus back, which then may move on
          if (!asked.of.snoozedUntil) asked.leave?.()
          put(asked.of, until)
        }}
      />
    ),
  }
}

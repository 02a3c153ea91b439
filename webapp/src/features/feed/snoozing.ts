import { mutationOptions } from '@tanstack/react-query'
import { type PutAway, showPutAway } from '../../data/notification-cache'
import { notificationKeys } from '../../data/notifications'
import { subscriptionKeys } from '../../data/subscriptions'
import { snooze as texts } from '../../i18n/snooze'
import { words } from '../../i18n/words'
import { api, call } from '../../lib/api'
import { queued, run } from '../../lib/query-client'
import { untilLabel } from '../../lib/spans'

/** Where a notification was, and where it is put: away until a time or for good, or back in the feed. */
type Input = { id: string; from: PutAway; to: PutAway }

const options = (name: string) =>
  ({
    ...queued(name),
    mutationFn: ({ id, to: { archivedAt, snoozedUntil } }: Input) => {
      const body = archivedAt ? { archived: true } : { snoozedUntil: snoozedUntil ?? null }
      return call(api().PATCH('/subscribers/notifications/{id}', { params: { path: { id } }, body, keepalive: true }))
    },
  }) as const

// the lists that it comes into, or that it must leave after a failure
const invalidates = [notificationKeys.own, subscriptionKeys.all]

/** Postpones a notification, or brings a postponed one back. */
export const snoozeMutation = () =>
  mutationOptions({
    ...options('snooze'),
    onMutate: ({ id, to }, { client }) => showPutAway(client, id, to),
    meta: {
      invalidates,
      successMessage: (variables) => {
        const { snoozedUntil } = (variables as Input).to
        return snoozedUntil ? texts.done(untilLabel(new Date(snoozedUntil))) : words.feed.restored
      },
      errorMessage: texts.failed,
      undo: (variables, putBack, client) => {
        const { id, from, to } = variables as Input
        return () => run(client, undoSnoozeMutation(putBack), { id, from: to, to: from })
      },
    },
  })

/** Takes that back. `putBack` shows it at once. */
export const undoSnoozeMutation = (putBack?: () => void) =>
  mutationOptions({
    ...options('undo-snooze'),
    onMutate: () => putBack?.(),
    meta: { invalidates, errorMessage: words.feed.undoFailed },
  })

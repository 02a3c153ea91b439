import type { Channel } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { channelKeys } from '../../data/channels'
import { keep } from '../../i18n/keep'
import { api, call } from '../../lib/api'
import { paramsOf } from '../../lib/paths'

/** How much a channel keeps. `null` leaves it to the installation. */
export type Kept = { keepDays: number | null; keepCount: number | null }

/** The highest values that the contract allows; the installation may allow less, and says so. */
export const most = { keepDays: 36_500, keepCount: 1_000_000_000 } as const satisfies Record<keyof Kept, number>

export const keptBy = ({ keepDays, keepCount }: Channel): Kept => ({
  keepDays: keepDays ?? null,
  keepCount: keepCount ?? null,
})

/** Whether something that was kept before may be deleted. */
export const keepsLess = (now: Kept, before: Kept) =>
  (Object.keys(most) as (keyof Kept)[]).some((name) => (now[name] ?? Infinity) < (before[name] ?? Infinity))

/** Failures show the server's text, which is also at the field. */
export const keepMutation = (channel: Channel) =>
  mutationOptions({
    mutationFn: (body: Kept) =>
      call(api().PATCH('/channels/{publisherSlug}/{channelSlug}', { params: { path: paramsOf(channel) }, body })),
    meta: { invalidates: [channelKeys.all], successMessage: keep.saved },
  })

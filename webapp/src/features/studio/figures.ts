import type { ChannelDeliveries, Deliveries, DeliveryCounts, FollowerDay, Notification } from '@sininho/sdk'
import { numbers as words } from '../../i18n/numbers'
import { studio } from '../../i18n/studio'
import { dayMs } from '../../lib/dates'

type Causes = Record<string, number>

export const sum = (counts: Causes) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The devices on which it did not arrive. */
export const failedOf = ({ failed, expired }: DeliveryCounts) => sum(failed) + sum(expired)

/** Every day of the period, in UTC, with its counts if something was published. */
export function daysOf({ from, until, data }: ChannelDeliveries) {
  const counts = new Map(data.map(({ at, counts: of }) => [at.slice(0, 10), of]))
  const first = Math.floor(Date.parse(from) / dayMs) * dayMs
  const days: { day: string; counts: DeliveryCounts | undefined }[] = []
  for (let at = first; at < Date.parse(until); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, counts: counts.get(day) })
  }
  return days
}

const outcomes = ['suppressed', 'failed', 'expired'] as const

/** How many devices did not ring, by outcome and cause, most first. */
export const causesOf = (counts: DeliveryCounts) =>
  outcomes
    .flatMap((outcome) =>
      Object.entries<number>(counts[outcome]).map(([cause, devices]) => ({ outcome, cause, devices })),
    )
    .toSorted((a, b) => b.devices - a.devices)

type Outcome = (typeof outcomes)[number]

/** Why devices did not ring, in words. */
export const reasonOf = (cause: string, outcome: Outcome) =>
  words.causes[cause] ??
  studio.outcome.causes[cause] ??
  (outcome === 'suppressed' ? words.silent : studio.outcome.otherCause)

const columns = ['notifications', 'targeted', 'accepted', 'pending', 'displayed', 'opened'] as const

/** A table of the days in which something was published, with a column for each cause. */
export function pushesTable({ data, total }: ChannelDeliveries): (string | number)[][] {
  const causes = causesOf(total)
  const names = { suppressed: words.silent, failed: words.failed, expired: words.expired }
  return [
    [
      words.day,
      ...columns.map((name) => words[name]),
      ...causes.map(({ outcome, cause }) => `${names[outcome]}: ${reasonOf(cause, outcome)} (${cause})`),
    ],
    ...data.map(({ at, counts }) => [
      at.slice(0, 10),
      ...columns.map((name) => counts[name]),
      ...causes.map(({ outcome, cause }) => counts[outcome][cause] ?? 0),
    ]),
  ]
}

export const followersTable = (days: readonly FollowerDay[]): (string | number)[][] => [
  [words.day, words.followers],
  ...days.map(({ day, followers }) => [day, followers]),
]

/** How many of what was opened most are shown. */
const shown = 5

/** The notifications that most people opened, without those that nobody did. */
export const mostOpened = (all: readonly { notification: Notification; outcome: Deliveries | undefined }[]) =>
  all
    .flatMap(({ notification, outcome }) => (outcome && outcome.opened > 0 ? [{ notification, outcome }] : []))
    .toSorted((a, b) => b.outcome.opened - a.outcome.opened)
    .slice(0, shown)

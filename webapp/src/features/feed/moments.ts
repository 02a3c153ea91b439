/** Moments until which a notification is often postponed. */
export const moments = ['tonight', 'morning', 'weekend'] as const
export type Moment = (typeof moments)[number]

const hours: Record<Moment, number> = { tonight: 20, morning: 8, weekend: 9 }
const friday = 5
const saturday = 6
/** Milliseconds. A moment that is nearer is not offered. */
const soon = 60 * 60 * 1000

/** Returns when a moment is, in this device's local time: the one of today, of tomorrow, or of the next Saturday. */
export function timeOf(moment: Moment, now: Date): Date {
  const at = new Date(now)
  if (moment === 'morning') at.setDate(now.getDate() + 1)
  if (moment === 'weekend') at.setDate(now.getDate() + saturday - now.getDay())
  at.setHours(hours[moment], 0, 0, 0)
  return at
}

/** Returns the moments that are offered: none that is past or near, no weekend on its eve, nothing after `end`. */
export function momentsAfter(now: Date, end?: Date): { moment: Moment; at: Date }[] {
  return moments
    .filter((moment) => moment !== 'weekend' || (now.getDay() > 0 && now.getDay() < friday))
    .map((moment) => ({ moment, at: timeOf(moment, now) }))
    .filter(({ at }) => at.getTime() - now.getTime() >= soon && (!end || at < end))
}

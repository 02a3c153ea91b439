/** The durations for which a channel can be muted. */
export const mutes = ['hour', 'eightHours', 'morning', 'week'] as const
export type Mute = (typeof mutes)[number]

const morningHour = 8

/** Returns the end of the mute, in this device's local time. */
export function muteEnd(mute: Mute, now = new Date()): Date {
  const end = new Date(now)
  if (mute === 'hour') end.setTime(now.getTime() + 60 * 60 * 1000)
  if (mute === 'eightHours') end.setTime(now.getTime() + 8 * 60 * 60 * 1000)
  if (mute === 'week') end.setDate(now.getDate() + 7)
  if (mute === 'morning') {
    end.setDate(now.getDate() + 1)
    end.setHours(morningHour, 0, 0, 0)
  }
  return end
}

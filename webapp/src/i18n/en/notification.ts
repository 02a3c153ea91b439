import type { notification as original } from '../notification'
import type { Translation } from '../translation'

/** The page of a notification. Loaded with what shows a whole one. */
export const notification = {
  back: (channel) => `Back to ${channel}`,
  more: (channel) => `More from ${channel}`,
  moment: (day, time) => `${day}, ${time}`,
  dates: 'en',
} satisfies Translation<typeof original>

import type { numbers as original } from '../numbers'
import type { Translation } from '../translation'
import { number, plural } from './words'

/** The texts of a channel's numbers and of its month, for whoever publishes there. */
export const numbers = {
  title: 'Figures',
  text: 'The last 31 days, in universal time (UTC).',
  now: 'Now',
  followers: 'people follow',
  ringing: 'ring',
  ringingImportant: 'ring if it is important',
  estimated: 'The last two are estimates.',
  tooNew: 'The plot of followers appears once there is a week.',
  day: 'Day',
  save: 'Save as CSV',
  saveOf: (title: string) => `Save as CSV: ${title}`,
  followersFile: 'followers',
  pushesFile: 'pushes',
  pushes: 'Pushes by day',
  none: 'Nothing was published in these days.',
  notifications: 'Notifications',
  targeted: 'Devices',
  accepted: 'Delivered',
  silent: 'Silent',
  failed: 'Failed',
  expired: 'Expired',
  pending: 'Pending',
  displayed: 'People who saw it',
  opened: 'People who opened it',
  why: 'Why they did not arrive or ring',
  devices: (count: number) => plural(count, 'device', 'devices'),
  causes: { bell: 'the person did not want it to ring', muted: 'the person muted the channel' },
  worked: 'Opened most',
  workedText: 'Of the last 20 you published.',
  nobodyOpened: 'Nobody has opened any yet.',
  openedBy: (opened: number, displayed: number) =>
    displayed < opened
      ? plural(opened, 'person opened it', 'people opened it')
      : `${plural(opened, 'person opened it', 'people opened it')}, of ${number(displayed)} who saw it`,

  month: {
    title: 'Scheduled, by month',
    before: 'Previous month',
    after: 'Next month',
    count: (day: string, count: number) => `${day}: ${plural(count, 'notification', 'notifications')}`,
    none: 'Nothing goes out this month.',
  },
} as const satisfies Translation<typeof original>

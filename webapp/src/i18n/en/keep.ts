import type { keep as original } from '../keep'
import type { Translation } from '../translation'
import { number } from './words'

/** The texts of how much a channel keeps, separate because only members of its publisher see them. */
export const keep = {
  open: 'Retention',
  form: 'Notification retention',
  text: 'Anything beyond one of these limits is deleted for everyone.',
  days: 'Days',
  daysHint: (most: number) =>
    `From 1 to ${number(most)}, counted from publication. Leave empty for what the installation allows.`,
  count: 'Number of notifications',
  countHint: (most: number) =>
    `From 1 to ${number(most)}; the oldest are deleted first. Leave empty for what the installation allows.`,
  wrong: (most: number) => `Enter a number from 1 to ${number(most)}, or leave it empty.`,
  question: 'Keep fewer notifications?',
  consequence: 'Those beyond the limit will be deleted in the next few hours. This can’t be undone.',
  less: 'Keep fewer',
  saved: 'Retention saved.',
} satisfies Translation<typeof original>

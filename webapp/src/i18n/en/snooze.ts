import type { snooze as original } from '../snooze'
import type { Translation } from '../translation'

/** The texts of what is postponed. Loaded after the feed. */
export const snooze = {
  action: 'Later',
  change: 'Change the time',
  back: 'Bring back',
  moments: { tonight: 'Tonight', morning: 'Tomorrow morning', weekend: 'At the weekend' },
  choose: 'Choose date and time',
  date: 'Date and time',
  confirm: 'Postpone',
  noDate: 'Choose a date and a time.',
  past: 'Choose a time in the future.',
  tooLate: (moment: string) => `Choose a time before ${moment}.`,
  until: (moment: string) => `postponed until ${moment}`,
  done: (moment: string) => `Postponed until ${moment}.`,
  failed: 'Couldn’t postpone it.',
} satisfies Translation<typeof original>

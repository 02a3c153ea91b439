import type { report as original } from '../report'
import type { Translation } from '../translation'

/** The texts of reports, separate so that the first screen does not load them. */
export const report = {
  channel: (name: string) => `Report the channel ${name}`,
  notification: 'Report the notification',
  note: 'Only the operators of Sininho see the report. The publisher won’t know you made it.',
  why: 'What’s wrong?',
  categories: {
    spam: 'It’s unwanted advertising',
    fraud: 'It’s a scam',
    impersonation: 'It pretends to be another person or entity',
    abuse: 'It’s offensive or threatens someone',
    illegal: 'It’s illegal',
    other: 'Something else',
  },
  text: 'Tell us more (optional)',
  textRequired: 'Tell us what’s wrong',
  textMissing: 'Describe what’s wrong.',
  send: 'Send report',
} satisfies Translation<typeof original>

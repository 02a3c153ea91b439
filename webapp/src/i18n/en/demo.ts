import type { demo as original } from '../demo'
import type { Translation } from '../translation'
import { clock } from './words'

/** The texts of the demonstration. */
export const demo = {
  title: 'Demo',
  text: 'Write a notification and watch it arrive, instantly. Anyone here can see it, for an hour.',
  form: 'Write a notification',
  fieldTitle: 'Title',
  fieldBody: 'Text',
  fieldImportant: 'Important',
  importantHint: 'Also rings for those who want only what’s important.',
  examples: [
    { name: 'Cake', title: 'Cake fresh from the oven', body: 'Orange, just as you asked. Come while it’s warm.' },
    { name: 'Bus', title: 'The 28 is late', body: 'About ten minutes, because of the works on the square.' },
    {
      name: 'Wind',
      title: 'Yellow warning: strong wind',
      body: 'From tonight until six. Tie down what’s on your balcony.',
    },
  ],
  examplesLabel: 'Examples',
  preview: 'preview',
  titleMissing: 'Enter a title.',
  send: 'Send',
  sent: 'Sent. Watch it arrive.',
  tooMany: (until: Date) => `You sent many in a row. You can send again at ${clock(until)}.`,
  offline: 'You’re offline. You can send as soon as you’re back online.',
  arrivals: 'Arriving in the channel',
  waiting: { title: 'Nothing has arrived yet', text: 'What you send will appear here instantly.' },
  live: 'Live',
  connecting: 'Connecting…',
  disconnected: 'Offline',
  command: 'The same, from your program',
  snippet: (name: string) => `Code for ${name}`,
  cli: 'Command line',
  cliKey: 'YOUR_KEY',
  cliHint: 'Publishes with the key of the channel’s owner instead of the webhook.',
  receive: {
    title: 'Get one on your device',
    text: 'Turn on notifications and send a test to this device: it arrives even when Sininho is closed.',
    signIn: 'Sign in to get one',
  },
} as const satisfies Translation<typeof original>

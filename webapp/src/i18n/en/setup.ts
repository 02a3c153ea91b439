import type { setup as original } from '../setup'
import type { Translation } from '../translation'

/** The texts of large text, and of setting a phone up for somebody else. */
export const setup = {
  text: 'Text',
  large: 'Large text',
  largeHint: 'Larger letters on all pages, and channels as large buttons.',

  title: 'Set up a phone for someone',
  why: 'Choose what they will follow. The link has everything ready on their phone with one tap, without an account.',
  channels: 'Channels',
  none: 'You don’t follow any public channel yet.',
  tooMany: (most: number) => `${most} channels at most.`,
  language: 'Language',
  link: 'Link',
  linkTitle: 'Sininho, ready to use',

  ready: 'Ready to use',
  promise: 'With one tap, what these channels publish arrives on this device.',
  missing: 'This link has no channels that exist. Ask whoever sent it for another.',
  receive: 'Get all of it',
  after: 'Open Sininho from there: it brings these channels along and asks.',
} as const satisfies Translation<typeof original>

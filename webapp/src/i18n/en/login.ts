import type { login as original } from '../login'
import type { Translation } from '../translation'

/** The texts of signing in, separate so that the first screen does not load them. */
export const login = {
  title: 'Sign in to Sininho',
  text: 'To follow channels and get their notifications on all your devices.',
  toFollow: (channel: string) => `To follow “${channel}” and get what it publishes.`,
  saveTitle: 'Save to my account',
  toSave: 'The channels that you follow in this browser go into the account that you sign in to.',
  ended: 'Your session ended. Sign in again to go back to where you were.',
  google: 'Continue with Google',
  with: (name: string) => `Continue with ${name}`,
  pending: (name: string) => `Opening ${name}…`,
  or: 'or',
  invited: 'You have an invitation. Sign in with any account you like to join Sininho.',
  support: 'Contact the people who run Sininho',
  byInvitation: 'No account yet? For now, joining is by invitation.',
  waitlist: 'Go to the waitlist',
  note: 'We use only your name and email.',

  failed: 'Couldn’t sign in. Try again.',
  suspended: 'Your account is suspended.',
  suspendedBecause: (reason: string) => `Your account is suspended: ${reason}`,
  uninvited: 'For now, joining is by invitation only, and this account doesn’t have a valid one.',
  unverified:
    'The service where you have this account doesn’t say that the email address is yours. Confirm it there and try again, or sign in another way. If that doesn’t help, tell the people who run Sininho that “email_verified” is missing.',
  noEmail:
    'The service where you have this account gave us no email address. Add one to your account and try again, or sign in another way. If that doesn’t help, tell the people who run Sininho that “email” is missing.',
  unsaved:
    'This browser already follows channels without an account. Sign in once more, and they go into your account.',
  full: 'Your account would have more channels or devices than it can have. Remove some and try again.',
  known:
    'There is already an account with this email address. Sign in the way you did before; then you can add this one in Settings.',

  email: {
    label: 'Email',
    example: 'name@example.com',
    send: 'Get a code',
    note: 'We’ll send you an 8-digit code. No password needed.',
    emailMissing: 'Enter your email.',
    emailWrong: 'Enter the full address, such as name@example.com.',
  },

  other: {
    open: 'Sign in with another device',
    title: 'On a device where you are signed in, open this address and enter the code:',
    waiting: 'This page continues as soon as you confirm.',
    over: 'This code no longer works. Request another one.',
    refused: 'The request was denied on the other device.',
    failed: 'Couldn’t request a code.',
  },

  code: {
    title: 'Enter the code',
    sentTo: (email: string) => `We sent an email with a code to ${email}.`,
    cold: 'This page is for the code that we email to people who ask to sign in. If you requested one in this browser, enter it here.',
    label: '8-digit code',
    confirm: 'Confirm',
    missing: 'Enter the 8 digits from the email.',
    late: 'Didn’t get it? Check your spam folder too.',
    ask: 'Haven’t requested one?',
    first: 'Request a code',
    another: 'Request another code',
    over: 'This code no longer works',
    overText: 'It expired, or there were too many attempts.',
    elsewhere: 'This code doesn’t work here',
    elsewhereText:
      'A code works only in the browser where it was requested, once and for 15 minutes. Enter it there, or request another one here.',
  },
} as const satisfies Translation<typeof original>

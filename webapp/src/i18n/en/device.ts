import type { device as original } from '../device'
import type { Translation } from '../translation'

/** The texts of a device sign-in, separate so that the first screen does not load them. */
export const device = {
  title: 'Connect a program',
  code: 'Code',
  codeHint: 'The one the program shows, such as BCDF‑GHJK.',
  next: 'Continue',
  loading: 'Looking up the code…',
  question: (name: string) => `“${name}” wants to sign in to Sininho as you.`,
  asked: 'Requested',
  askedFrom: (when: string, network: string, same: boolean) =>
    `${when}, ${same ? 'from the same network as this browser' : 'from another network'}${network && ` (${network})`}`,
  may: 'It can',
  mayScopes: (scopes: readonly string[]) => {
    const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
    if (scopes.includes('manage')) {
      return 'do everything you can do here: read, follow, publish to your channels and manage your account.'
    }
    if (reads && publishes) return 'read what you can read here and publish to your channels, and nothing else.'
    return publishes ? 'publish to your channels, and nothing else.' : 'read what you can read here, changing nothing.'
  },
  until: 'Until',
  untilDate: (date: string) => `${date}, or until you revoke its access in Settings.`,
  warning: 'Confirm only if you just started this program yourself and it shows this code.',
  browserQuestion: (name: string) => `“${name}” wants to sign in to your account, as on this device.`,
  browserMay: 'do everything you can do here, including managing the account and the ways to sign in.',
  browserUntil: (date: string) => `${date}, or until you end that session in Settings.`,
  browserWarning:
    'Confirm only if this code is on the screen of another device of yours right now. Nobody should ask you for it.',
  approve: 'Confirm',
  refuse: 'Deny',
  approved: 'Program connected',
  approvedHint: 'You can close this page and go back to the program.',
  refused: 'Request denied',
  refusedHint: 'The program was not signed in as you.',
  unknown: 'Unknown code',
  unknownHint: 'No program is waiting for this code: it expired or was already answered. Start again in the program.',
  another: 'Enter another code',
  failed: 'Couldn’t answer the program.',
} satisfies Translation<typeof original>

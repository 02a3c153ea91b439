import type { passkeys as original } from '../passkeys'
import type { Translation } from '../translation'

/** The texts of passkeys, separate so that only screens where they are used load them. */
export const passkeys = {
  signIn: 'Sign in with a passkey',
  signUp: 'Create an account with a passkey',
  signUpText:
    'Your phone or computer keeps the key, and asks for its PIN, your finger or your face. You need no email.',
  name: 'Your name',
  nameMissing: 'Enter your name.',
  create: 'Create a passkey',
  unsupported: 'This browser cannot use passkeys. Update it, or open Sininho in another one.',
  dismissed: 'You used no passkey. If you have none here yet, create an account or sign in another way.',
  notMade: 'You created no passkey. Try again when you like.',
  failed: 'Could not sign in with this passkey. Try again.',
  notCreated: 'Could not create the account. Try again.',
  faults: {
    unknown: 'This passkey belongs to no account any more. You can delete it from your device.',
    cloned: 'This passkey seems to have been copied. Sign in another way and remove it in the settings.',
    taken: 'This device already has a passkey of this account.',
  },

  operator: {
    title: 'Run this installation',
    text: 'By this link, the account that you create now becomes that of an operator of this Sininho. It works once.',
    unusable: 'This link does not work',
    unusableText:
      'It has expired, was used, or the address is incomplete. The command sininho-server operator-link prints another one.',
    home: 'Go to the start',
  },

  own: {
    title: 'Passkeys',
    text: 'Kept on a device of yours, they open with its PIN, your finger or your face. Have two: without the last one, the account is lost.',
    none: 'You have none yet.',
    add: 'Add a passkey',
    added: 'Passkey added.',
    addFailed: 'Could not add the passkey.',
    used: (when) => `used ${when}`,
    unused: 'not used yet',
    since: (date) => `added on ${date}`,
    rename: 'Rename',
    renameName: (name) => `Rename ${name}`,
    newName: 'New name',
    nameMissing: 'Enter a name.',
    renameFailed: 'Could not rename it.',
    remove: 'Remove',
    removeName: (name) => `Remove ${name}`,
    removeQuestion: (name) => `Remove “${name}”?`,
    removeText: 'You can no longer sign in with this passkey. Sessions go on. Delete it from the device, too.',
    removed: 'Passkey removed.',
  },
} as const satisfies Translation<typeof original>

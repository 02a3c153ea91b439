import type { settings as original } from '../settings'
import type { Translation } from '../translation'
import { plural } from './words'

/** The settings' texts, separate so that the first screen does not load them. */
export const settings = {
  parts: 'Parts of the settings',
  /** Title of the window in a section. */
  window: (section: string) => `${section} · Settings · Sininho`,
  operators: 'Admin',

  /** The sections, each with what it holds. */
  sections: {
    profile: { title: 'Profile', text: 'Name, language and time zone' },
    notifications: { title: 'Notifications', text: 'On this device, quiet hours and bell' },
    devices: { title: 'Devices', text: 'Where you get notifications' },
    app: { title: 'App', text: 'Appearance and installation' },
    security: { title: 'Security', text: 'Ways to sign in and sessions' },
    publishing: { title: 'Publishing', text: 'Your publishers, their channels and invitations' },
    tokens: { title: 'Access tokens', text: 'Programs that act as you' },
    data: { title: 'Your data', text: 'Export everything or delete your account' },
  },
  /** What a section is set to, instead of what it holds. */
  now: {
    pushOn: 'On for this device',
    pushOff: 'Off for this device',
    devices: (count: number) => (count === 0 ? 'None' : plural(count, 'device', 'devices')),
    theme: { auto: 'Automatic appearance', light: 'Light appearance', dark: 'Dark appearance' },
    installed: (theme: string) => `${theme}, installed`,
  },

  theme: 'Appearance',
  themes: { auto: 'Automatic', light: 'Light', dark: 'Dark' },

  install: {
    title: 'Install Sininho',
    why: 'It opens in a window of its own, and its icon shows how many notifications are unread.',
    action: 'Install',
    accepted: 'Done. Look for Sininho among your apps.',
    installed: 'Sininho is installed, and you’re using it now.',
    failed: 'Couldn’t install.',
    /** The steps on iPhone and iPad. */
    steps: [
      { name: 'Share', text: 'Tap Share, the square with the up arrow.' },
      { name: 'Add', text: 'Choose “Add to Home Screen”.' },
    ],
    elsewhere: 'Look for “Install” or “Add to Home Screen” in your browser’s menu. Not every browser offers it.',
  },

  profile: {
    form: 'Profile details',
    name: 'Name',
    nameMissing: 'Enter a name.',
    language: 'Language',
    languageHint: 'Used in Sininho’s pages and emails. Channels publish in whichever language they choose.',
    timezone: 'Time zone',
    timeThere: (time: string) => `It’s ${time} there now.`,
    ofDevice: 'Use this device’s time zone',
    saved: 'Profile saved.',
  },

  bellDefault: {
    title: 'Bell for new channels',
    text: 'The setting that newly followed channels start with. You can change it for each channel with the bell beside it.',
  },

  digest: {
    title: 'Daily digest',
    text: 'Once a day, how many notifications came from the channels with the bell “Daily digest” and are unread. What is important rings at once.',
    none: 'No channel is in the digest. Choose “Daily digest” in the bell of a channel, or “Put in a digest” in the menu of a notification.',
    at: 'Time of the digest',
    quiet: (end: string) => `That is in the quiet hours: the digest arrives at ${end}, when they end.`,
  },

  quiet: {
    title: 'Quiet hours',
    text: 'Notifications are held during these hours and delivered as a single summary when they end.',
    on: 'Use quiet hours',
    from: 'From',
    to: 'To',
    sentence: (start: string, end: string) => `Quiet from ${start} to ${end}.`,
    sentenceOverMidnight: (start: string, end: string) => `Quiet from ${start} to ${end} the next day.`,
    timezone: (timezone: string) => `Times are in the ${timezone} time zone. You can change it in your profile.`,
    elsewhere: (timezone: string) => `This device is in another time zone: ${timezone}.`,
  },

  tokens: {
    title: 'Access tokens',
    text: 'Each token lets a program act as you. Revoke the ones you no longer use.',
    empty: 'No program has access',
    emptyText:
      'A token lets a program act as you: a script that reads your notifications, for example, or the command line that publishes them.',
    how: 'How to use tokens',
    hint: (hint: string) => `sna_live_…${hint}`,
    used: (when: string) => `used ${when}`,
    unused: 'never used',
    expires: (date: string) => `valid until ${date}`,
    expired: (date: string) => `expired on ${date}`,
    create: 'Create token',
    form: 'New access token',
    name: 'Name',
    nameHint: 'So you’ll recognize it later, for example “Backup”.',
    nameMissing: 'Enter a name.',
    may: 'It can',
    permissions: {
      all: 'Do everything I can',
      read: 'Only read',
      publish: 'Only publish',
      readAndPublish: 'Read and publish',
    },
    scopes: (scopes: readonly string[]) => {
      const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
      if (scopes.includes('manage')) return 'full access'
      if (reads && publishes) return 'read and publish'
      return publishes ? 'publish only' : 'read only'
    },
    expiry: 'Valid for',
    expiries: { '30': '30 days', '90': '90 days', '365': '1 year' },
    createFailed: 'Couldn’t create the token.',
    secret: (name: string) => `The token “${name}” is ready`,
    secretHint: 'Copy it now and keep it in a safe place: it won’t be shown again.',
    secretDone: 'I’ve saved it',
    revoke: 'Revoke',
    revokeName: (name: string) => `Revoke ${name}`,
    revokeQuestion: (name: string) => `Revoke “${name}”?`,
    revokeText:
      'The program that uses it loses access immediately, and so do the tokens it created. This can’t be undone.',
    revoked: 'Token revoked.',
    revokeFailed: 'Couldn’t revoke the token.',
  },

  identities: {
    title: 'Ways to sign in',
    text: 'The accounts and addresses you use to sign in. The first one sets your account’s email.',
    email: 'Email',
    used: (when: string) => `used ${when}`,
    unused: 'not used yet',
    since: (date: string) => `added on ${date}`,
    gone: 'this installation no longer offers it',
    remove: 'Remove',
    removeName: (name: string) => `Remove ${name}`,
    removeQuestion: (name: string) => `Remove “${name}”?`,
    removeText: 'You’ll no longer be able to sign in this way. Sessions already open stay open.',
    removed: 'Way to sign in removed.',
    add: 'Add a way to sign in',
    addOf: (name: string) => `Add ${name}`,
    addEmail: 'Add an email',
    addFailed: 'Couldn’t add this way to sign in.',
    newEmail: 'Email',
    newEmailHint: 'We’ll send you a code to confirm that it’s yours.',
    emailMissing: 'Enter an email.',
    emailWrong: 'Enter the full address, such as name@example.com.',
    send: 'Send code',
    errors: {
      unverified:
        'Not added: that service doesn’t say that the email address is yours. Confirm it there, or tell the people who run Sininho that “email_verified” is missing.',
      no_email:
        'Not added: that service gave us no email address. Add one there, or tell the people who run Sininho that “email” is missing.',
      taken: 'Not added: another account already signs in this way. If it’s yours, delete it first.',
      known_address: 'Not added: its email address belongs to another account.',
      too_many: 'Not added: an account has at most 10 ways to sign in. Remove one first.',
    },
  },

  sessions: {
    title: 'Sessions',
    text: 'The browsers where you’re signed in. End any you don’t recognize or no longer use.',
    name: (browser = 'Browser', system?: string) => (system ? `${browser} on ${system}` : browser),
    current: 'This session',
    used: (when: string) => `used ${when}`,
    since: (date: string) => `started on ${date}`,
    network: (network: string) => `IP ${network}`,
    end: 'End',
    endName: (name: string) => `End ${name}`,
    endQuestion: (name: string) => `End “${name}”?`,
    endText: 'That browser is signed out of your account immediately and stops getting notifications.',
    ended: 'Session ended.',
    endFailed: 'Couldn’t end the session.',
    endOthers: 'End all other sessions',
    endOthersQuestion: 'End the other sessions?',
    endOthersText:
      'The other browsers are signed out of your account immediately and stop getting notifications. Access tokens stay valid.',
    othersEnded: 'The other sessions have ended.',
    endOthersFailed: 'Couldn’t end the other sessions.',
  },

  feedAddress: {
    title: 'Address of your feed',
    text: 'A secret address at which a feed reader shows all that you follow, private channels too. Anyone who knows it can read the same, and nothing else.',
    how: 'How feeds work',
    make: 'Create address',
    makeFailed: 'Couldn’t create the address.',
    made: 'Address of your feed, as Atom',
    madeHint: 'Copy it now: it won’t be shown again. With .json at its end instead of .atom it is a JSON Feed.',
    done: 'I’ve copied it',
    hint: (hint: string) => `/feeds/snf_live_…${hint}`,
    since: (date: string) => `since ${date}`,
    renew: 'Replace address',
    renewQuestion: 'Replace the address of your feed?',
    renewText: 'Whatever reads the current address stops working.',
    end: 'Delete address',
    endQuestion: 'Delete the address of your feed?',
    endText: 'Whatever reads it stops working.',
    ended: 'Address deleted.',
    endFailed: 'Couldn’t delete the address.',
  },

  account: {
    copy: 'Export',
    exportText: 'Everything we keep about you, in a JSON document you can take with you.',
    export: 'Export my data',
    exportName: (day: string) => `sininho-my-data-${day}.json`,
    exported: 'Your data was saved on this device.',
    exportFailed: 'Couldn’t export your data.',
    remove: 'Delete account',
    removeText: 'This permanently deletes everything we keep about you:',
    removed: [
      'your profile and settings',
      'the channels you follow and what you read in them',
      'your devices, which stop getting notifications',
      'your sessions and access tokens, everywhere',
    ],
    removeFinal: 'This can’t be undone.',
    confirmation: 'delete',
    confirm: (word: string) => `To confirm, type “${word}”`,
    removeForGood: 'Delete forever',
    gone: 'Your account was deleted.',
  },
} as const satisfies Translation<typeof original>

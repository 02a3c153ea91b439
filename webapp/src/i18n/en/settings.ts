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
    elsewhere:
      'This browser doesn’t offer it here. If Sininho isn’t installed yet, look for “Install” or “Add to Home Screen” in the browser’s menu.',
  },

  profile: {
    form: 'Profile details',
    name: 'Name',
    nameMissing: 'Enter a name.',
    language: 'Language',
    languageHint: 'That of Sininho’s pages, emails and messages. What channels publish stays as it is.',
    timezone: 'Time zone',
    timeThere: (time: string) => `It’s ${time} in that time zone now.`,
    ofDevice: 'Use this device’s time zone',
    saved: 'Profile saved.',
  },

  bellDefault: {
    title: 'Bell for new channels',
    text: 'How channels ring when you start following them. You can change each channel’s bell next to it.',
  },

  quiet: {
    title: 'Quiet hours',
    text: 'What arrives during these hours is held and comes in a single summary when they end. The Notifications page always has everything.',
    on: 'Don’t ring at certain hours',
    form: 'Quiet hours',
    from: 'From',
    to: 'To',
    missing: 'Enter a time.',
    same: 'The end must be different from the start.',
    sentence: (start: string, end: string) => `Quiet from ${start} to ${end}.`,
    sentenceOverMidnight: (start: string, end: string) => `Quiet from ${start} to ${end} the next day.`,
    timezone: (timezone: string) => `In the time zone ${timezone}, which you can change in your profile.`,
    elsewhere: (timezone: string) => `This device is in another time zone: ${timezone}.`,
    saved: 'Quiet hours saved.',
  },

  tokens: {
    title: 'Access tokens',
    text: 'They let programs such as the command line act as you. Revoke the ones you no longer use.',
    empty: 'No program has access.',
    hint: (hint: string) => `ends in ${hint}`,
    used: (when: string) => `used ${when}`,
    unused: 'never used',
    expires: (date: string) => `valid until ${date}`,
    expired: (date: string) => `expired on ${date}`,
    create: 'Create token',
    form: 'New access token',
    name: 'Name',
    nameHint: 'To know it by later, such as “backup”.',
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
      if (scopes.includes('manage')) return 'can do everything'
      if (reads && publishes) return 'can read and publish'
      return publishes ? 'can only publish' : 'can only read'
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
    text: 'The accounts and addresses you sign in with here. Your account’s email is that of the first one.',
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
    add: (name: string) => `Add ${name}`,
    addEmail: 'Add an email',
    addFailed: 'Couldn’t add this way to sign in.',
    newEmail: 'Email',
    newEmailHint: 'We’ll send you a code to confirm that it’s yours.',
    emailMissing: 'Enter an email.',
    send: 'Send code',
    errors: {
      taken: 'Not added: another account already signs in this way. If it’s yours, delete it first.',
      known_address: 'Not added: its email address belongs to another account.',
      too_many: 'Not added: an account has at most 10 ways to sign in. Remove one first.',
    },
  },

  sessions: {
    title: 'Sessions',
    text: 'The browsers where you’re signed in. End the ones you don’t know or no longer use.',
    name: (browser = 'Browser', system?: string) => (system ? `${browser} on ${system}` : browser),
    current: 'This session',
    used: (when: string) => `used ${when}`,
    since: (date: string) => `started on ${date}`,
    network: (network: string) => `network ${network}`,
    end: 'End',
    endName: (name: string) => `End ${name}`,
    endQuestion: (name: string) => `End “${name}”?`,
    endText: 'That browser is signed out of your account immediately and stops getting notifications.',
    ended: 'Session ended.',
    endFailed: 'Couldn’t end the session.',
    endOthers: 'End the others',
    endOthersQuestion: 'End the other sessions?',
    endOthersText:
      'The other browsers are signed out of your account immediately and stop getting notifications. Access tokens stay valid.',
    othersEnded: 'The other sessions have ended.',
    endOthersFailed: 'Couldn’t end the other sessions.',
  },

  account: {
    copy: 'Export',
    exportText: 'Everything we keep about you, in a JSON document you can take with you.',
    export: 'Export my data',
    exportName: (day: string) => `sininho-my-data-${day}.json`,
    exported: 'Your data was saved on this device.',
    exportFailed: 'Couldn’t export your data.',
    remove: 'Delete account',
    removeText: 'Permanently deletes everything we keep about you:',
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

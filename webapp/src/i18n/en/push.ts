import type { devices as originalDevices, push as original } from '../push'
import type { Translation } from '../translation'

/** The texts about push on this device. */
export const push = {
  title: 'Notifications on this device',
  text: 'Get what matters even when Sininho is closed.',
  enable: 'Turn on notifications',
  silent: 'This device doesn’t ring.',
  ring: 'Turn on',
  later: 'Not now',
  enabled: 'This device gets notifications.',
  disable: 'Turn off on this device',
  disabled: 'This device no longer gets notifications.',
  preview: { when: 'now', title: 'Blue line reopened', body: 'This is how a notification looks on your device.' },
  denied:
    'Notifications are blocked in this browser. To allow them, open this site’s permissions next to the page address, choose “Allow” under Notifications and come back here.',
  dismissed: 'Permission wasn’t given. You can try again whenever you like.',
  unsupported: 'This browser can’t get notifications. What you follow is always on the Notifications page.',
  install:
    'On iPhone and iPad, notifications arrive once you install Sininho: tap the button with the up arrow, choose “Add to Home Screen” and open it from there.',
  failed: 'Couldn’t turn on notifications.',
  unreachable:
    'Couldn’t reach the browser’s notification service. Check your connection, or whether something is blocking it, and try again. Meanwhile, everything still arrives on the Notifications page.',
} as const satisfies Translation<typeof original>

/** The texts about a person's devices. */
export const devices = {
  text: 'The devices that get your notifications, even when Sininho is closed.',
  addThis: 'Also get them on this device',
  current: 'This device',
  lastSeen: (when: string) => `Last seen ${when}`,
  ringsSince: (date: string) => `Rings since ${date}`,
  silent: 'Has not rung yet',
  shown: (date: string) => `Last showed notifications on ${date}`,
  quiet: (date: string) => `Has shown nothing since ${date}. Check that it is on and that it allows notifications.`,
  quietNotice: (device: string, date: string) => `${device} has shown no notifications since ${date}.`,
  quietHide: (device: string) => `Stop telling me about ${device}`,
  testAwaited: 'Waiting for the device to show it…',
  testShown: 'The device showed the test.',
  testUnseen: 'The device has not shown it yet. Check that it is on and that it allows notifications.',
  test: 'Send test',
  testName: (device: string) => `Send test to ${device}`,
  testSent: 'Test sent. It should arrive in a moment.',
  testUnreachable:
    'Couldn’t reach the notification service. Try again later; meanwhile, everything still arrives on the Notifications page.',
  testFailed: 'The notification service rejected the test. Turn notifications off and on again on that device.',
  rename: (device: string) => `Rename ${device}`,
  newName: 'New name',
  nameMissing: 'Enter a name.',
  renameFailed: 'Couldn’t rename the device.',
  remove: 'Remove',
  removeName: (device: string) => `Remove ${device}`,
  removeQuestion: (device: string) => `Remove ${device}?`,
  removeText: 'That device will get no notifications until you turn them on there again.',
  removed: 'Device removed.',
  removeFailed: 'Couldn’t remove the device.',
  empty: 'No device gets notifications.',
  name: (browser: string, system: string) => `${browser} on ${system}`,
  unknownBrowser: 'Browser',
  unknownSystem: 'unknown device',
} as const satisfies Translation<typeof originalDevices>

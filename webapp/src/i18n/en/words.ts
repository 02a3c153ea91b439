import type { words as original, workerWords as originalWorkerWords } from '../words'
import type { Translation } from '../translation'
import { language } from './language'

/** A count with its noun: "1 channel", "1,200 channels". */
export const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
// without "at", because it also follows "until"
export const at = (time: string) => time
/** A number with thousands separators. */
export const number = (count: number) => new Intl.NumberFormat(language).format(count)
/** The time of day, with seconds. */
export const clock = (time: Date) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(time)

/** The categories that come with Sininho. Those that operators name themselves are shown as they are. */
const categories = new Map([
  ['Cidade', 'City'],
  ['Transportes', 'Transport'],
  ['Cultura', 'Culture'],
  ['Ciência', 'Science'],
  ['Desporto', 'Sports'],
  ['Comida', 'Food'],
  ['Tecnologia', 'Technology'],
])

/** All texts but those that have a file of their own. */
export const words = {
  appName: 'Sininho',
  skipToContent: 'Skip to content',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  loadMore: 'Load more',
  loading: 'Loading…',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Couldn’t copy. Select the text instead.',
  number,
  /** What is wrong with a setting. */
  env: { missing: 'is required', empty: 'is empty', invalid: 'is invalid' },

  nav: {
    label: 'Main',
    home: 'Home',
    feed: 'Notifications',
    channels: 'Channels',
    demo: 'Demo',
    publish: 'Publish',
    settings: 'Settings',
    signIn: 'Sign in',
    unread: (count: number) => plural(count, 'unread', 'unread'),
  },

  toast: {
    success: 'All set!',
    networkFailure: 'Something went wrong!',
    dismiss: 'Dismiss message',
    undo: 'Undo',
  },

  errors: {
    network: 'Couldn’t reach the server. Check your connection and try again.',
    // by status, for responses without a text from the server
    response: {
      401: 'Sign in again to continue.',
      403: 'You don’t have permission to do this.',
      404: 'What you’re looking for doesn’t exist.',
      413: 'What you sent is too large.',
      429: 'Too many requests in a row. Try again in a moment.',
      refused: 'The server didn’t accept the request.',
      failed: 'Something failed on the server. Try again in a moment.',
      unavailable: 'The server isn’t available right now. Try again in a moment.',
    },
    list: 'Couldn’t load this.',
    offline: 'You’re offline. Showing what was already loaded.',
    offlineWaiting:
      'You’re offline. Showing what was already loaded. Your changes will be sent as soon as you’re back online.',
    offlineEmpty: 'You’re offline.',
    offlineHint: 'This will load by itself as soon as you’re back online.',
    changedElsewhere:
      'This was changed elsewhere in the meantime. You now see the latest version: if you still want your change, make it again.',
  },

  // the specification gives these texts in English, but for the last
  fallback: {
    shell: 'Something went wrong',
    route: 'Something went wrong!',
    show: 'Show Error',
    hide: 'Hide Error',
    notFound: 'Not Found',
    support: 'If it happens again, contact support.',
  },

  notFound: {
    code: '404',
    title: 'Are you lost?',
    text: 'The page you’re looking for doesn’t exist. The address may be mistyped, or the page may have moved.',
    support: 'If this looks like an error, contact support.',
    home: 'Take me home',
  },

  index: {
    title: 'Follow what matters. Get it instantly.',
    text: 'The channels you choose, in one place and on all your devices. No algorithm: only what you decided to follow.',
    signIn: 'Get started',
    feed: 'Open notifications',
    waitlist: 'Ask for an invitation',
    demo: 'See the demo',
    categories: 'What you can follow',
    popular: 'Popular channels',
    all: 'See all channels',
    example: {
      channel: 'Metro',
      title: 'Blue line reopened',
      body: 'Trains are running again on the whole line.',
      time: 'now',
    },
  },

  picture: {
    open: (of: string) => `View the image of “${of}”`,
    of: (of: string) => `Image of “${of}”`,
  },

  report: {
    action: 'Report',
    sent: 'Report sent. Thank you.',
  },

  feed: {
    title: 'Notifications',
    all: 'All',
    parts: {
      label: 'Notification views',
      unread: 'Unread',
      important: 'Important',
      snoozed: 'Later',
      archived: 'Archived',
    },
    search: 'Search notifications',
    closePane: 'Close notification',
    markAll: 'Mark all as read',
    markAllShort: 'Mark all',
    markedAll: 'All marked as read.',
    markAllFailed: 'Couldn’t mark all as read.',
    markFailed: 'Couldn’t mark as read.',
    unread: 'Unread',
    unreadCount: (count: number) => plural(count, 'unread', 'unread'),
    listen: 'Listen',
    stopListening: 'Stop',
    now: 'Now',
    until: (moment: string) => `until ${moment}`,
    expired: 'is over',
    latest: (time: string) => `latest at ${time}`,
    markChannel: 'Mark all of this channel as read',
    archiveChannel: 'Archive what is unread',
    important: 'Important',
    edited: 'edited',
    yours: 'Yours, just arrived',
    arrived: (count: number) => plural(count, 'new notification', 'new notifications'),
    more: 'Read more',
    less: 'Read less',
    open: 'Open',
    list: 'List of notifications',
    end: 'That’s all for now.',
    found: (count) => plural(count, 'result', 'results'),
    foundAll: 'These are all results.',
    emptyChannel: {
      title: 'This channel hasn’t published anything yet',
      text: 'What it publishes will appear here instantly.',
    },
    focused: 'The notification you opened',
    gone: 'The notification you opened is no longer here.',
    options: 'Options',
    read: 'Mark as read',
    unreadAgain: 'Mark as unread',
    archive: 'Archive',
    restore: 'Unarchive',
    archived: (count: number) => (count === 1 ? 'Notification archived.' : `${number(count)} notifications archived.`),
    restored: 'It’s back in your notifications.',
    archiveFailed: 'Couldn’t archive.',
    restoreFailed: 'Couldn’t unarchive.',
    share: 'Share',
    shareWithMembers: 'Share with members',
    copied: 'Link copied.',
    copiedForMembers: 'Link copied. Only members of the channel can open it.',
    shareFailed: 'Couldn’t share.',
    undoFailed: 'Couldn’t undo.',
  },

  followed: {
    title: 'Channels you follow',
    all: 'All channels',
    empty: 'You don’t follow any channels yet.',
    search: 'Search followed channels',
    notFound: 'You don’t follow any channel with that name.',
    bellOf: (channel: string) => `Bell for ${channel}`,
    bellIs: (channel: string, state: string) => `Bell for ${channel}: ${state}`,
    bell: {
      all: 'Always ring',
      important: 'Important only',
      digest: 'Daily digest',
      none: 'Don’t ring',
    },
    bellHint: {
      all: 'Everything the channel publishes.',
      important: 'Only what the channel marks as important.',
      digest: 'What is important at once, and the rest in a digest once a day.',
      none: 'Everything waits on the Notifications page.',
    },
    mute: 'Mute',
    muteFor: { hour: '1 hour', eightHours: '8 hours', morning: 'Until morning', week: '1 week' },
    muted: (moment: string) => `Muted until ${moment}`,
    unmute: 'Unmute',
    afterwards: 'After that',
    bellFailed: 'Couldn’t change the bell.',
  },

  channels: {
    title: 'Channels',
    search: 'Search channels',
    searchHint: 'Name or topic',
    categories: 'Categories',
    allCategories: 'All',
    category: (name: string) => categories.get(name) ?? name,
    see: 'View channel',
    write: 'Write',
    manage: 'Manage',
    follow: 'Follow',
    following: 'Following',
    unfollow: 'Unfollow',
    followName: (name: string) => `Follow ${name}`,
    unfollowName: (name: string) => `Following ${name}: unfollow`,
    followed: (name: string) => `You now follow ${name}.`,
    followFailed: 'Couldn’t follow the channel.',
    followAllFailed: 'Couldn’t follow all the channels.',
    unfollowed: 'You no longer follow the channel.',
    unfollowFailed: 'Couldn’t unfollow the channel.',
    followers: (count: number) => (count === 0 ? 'New' : plural(count, 'follower', 'followers')),
    notifications: (count: number) => plural(count, 'notification', 'notifications'),
    by: (publisher: string) => `by ${publisher}`,
    found: (count: number) => plural(count, 'channel', 'channels'),
    empty: { title: 'No channels found', text: 'Try another word or another category.' },
    none: { title: 'No channels yet', text: 'As soon as someone creates one, it will appear here.' },
    clear: 'Clear search',
    missing: {
      title: 'This channel doesn’t exist',
      text: 'It may have been deleted, or the address may be mistyped.',
      action: 'See all channels',
    },
    private: 'Private',
    suspended: {
      title: 'This channel is suspended',
      text: 'For now, what it published can’t be seen. If you follow it, everything comes back when the suspension ends.',
      mark: 'Suspended',
      reason: (reason: string) => `Only those who manage this channel can see it. Reason for the suspension: ${reason}`,
    },
  },

  settings: {
    title: 'Settings',
    signOut: 'Sign out',
    signOutFailed: 'Couldn’t sign out.',
  },

  dates: {
    today: 'Today',
    yesterday: 'Yesterday',
    at,
    tomorrowAt: (time: string) => `tomorrow at ${time}`,
    dayAt: (day: string, time: string) => `${day} at ${time}`,
  },
} as const satisfies Translation<typeof original>

/** The service worker's texts, separate to keep its bundle small. */
export const workerWords = {
  title: 'Sininho',
  body: 'You have a new notification.',
  archive: 'Archive',
  mute: 'Mute for 1 hour',
} as const satisfies Translation<typeof originalWorkerWords>

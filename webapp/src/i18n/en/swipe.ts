import type { swipe as original } from '../swipe'
import type { Translation } from '../translation'

/** What a swipe does to a notification, in words that fit beside it. Loaded after the feed. */
export const swipe = {
  archive: 'Archive',
  restore: 'Unarchive',
  back: 'Bring back',
  read: 'Read',
  unread: 'Unread',
} satisfies Translation<typeof original>

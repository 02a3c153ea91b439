import type { emptyFeed as original } from '../empty-feed'
import type { Translation } from '../translation'

/** What the feed says while nothing is in it. Loaded after it. */
export const emptyFeed = {
  title: 'No notifications yet',
  text: 'Follow some channels, and what they publish will appear here instantly.',
  action: 'Discover channels',
  unread: { title: 'You’re all caught up', text: 'Anything new will appear here instantly.' },
  important: { title: 'Nothing important', text: 'What channels mark as important appears here.' },
  snoozed: { title: 'Nothing for later', text: 'What you postpone stays here, and is back as unread at its time.' },
  archived: { title: 'Nothing archived', text: 'What you archive leaves your notifications and is kept here.' },
  nothingFound: { title: 'Nothing found', text: 'Try another word, or just the beginning of it.' },
  quiet: 'The channels you follow haven’t published anything yet. What they publish will appear here instantly.',
} satisfies Translation<typeof original>

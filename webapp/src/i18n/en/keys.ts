import type { keys as original } from '../keys'
import type { Translation } from '../translation'

/** The texts of the feed's keyboard shortcuts, loaded after it. */
export const keys = {
  title: 'Keyboard shortcuts',
  groups: [
    {
      title: 'Move',
      rows: [
        { key: 'j', does: 'Go to the next one' },
        { key: 'k', does: 'Go to the previous one' },
        { key: '/', does: 'Search' },
      ],
    },
    {
      title: 'Act',
      rows: [
        { key: 'Enter', does: 'Open the notification' },
        { key: 'o', does: 'Open its link' },
        { key: 'e', does: 'Archive or bring back' },
        { key: 'b', does: 'Postpone until later' },
        { key: 'u', does: 'Mark as read or unread' },
      ],
    },
    {
      title: 'Help',
      rows: [
        { key: '?', does: 'Show these shortcuts' },
        { key: 'Esc', does: 'Close what is open' },
      ],
    },
  ],
  on: 'Use shortcuts',
  off: 'Turn them off if you control the computer by voice.',
} satisfies Translation<typeof original>

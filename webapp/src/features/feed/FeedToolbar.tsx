import { IconArchive, IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type FeedPart, type FeedView, feedParts } from '../../data/notifications'
import { words } from '../../i18n/words'
import { formatChannel } from '../../lib/paths'
import classes from './feed.module.css'

/** In the order of their links; `undefined` is all of the feed. */
const parts: readonly (FeedPart | undefined)[] = [undefined, ...feedParts]

/** The parts of the feed, and what is done to all of it. It stays in reach while the list scrolls. */
export const FeedToolbar = ({ view: { channel, q }, children }: { view: FeedView; children: ReactNode }) => (
  <div className={classes.toolbar}>
    <nav aria-label={words.feed.parts.label} className={classes.parts}>
      {parts.map((part) => (
        <Link
          key={part ?? 'all'}
          to="/feed"
          search={{ channel: channel && formatChannel(channel), q, part }}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
          className={classes.part}
        >
          {part === 'snoozed' && <IconClock size={20} aria-hidden />}
          {part === 'archived' && <IconArchive size={20} aria-hidden />}
          <span>{part ? words.feed.parts[part] : words.feed.all}</span>
        </Link>
      ))}
    </nav>
    <div className={classes.toolbarEnd}>{children}</div>
  </div>
)

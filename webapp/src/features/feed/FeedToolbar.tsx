import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconChecks } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FeedPart } from '../../data/notifications'
import { words } from '../../i18n/words'
import classes from './feed.module.css'

/** In the order of their links; `undefined` is all of the feed. */
const parts: readonly (FeedPart | undefined)[] = [undefined, 'unread', 'important', 'archived']

type Props = {
  channel?: string
  q?: string
  /** Absent when nothing is unread, and where not all that is unread is seen. */
  onReadAll?: () => void
  children: ReactNode
}

/** The parts of the feed, and what is done to all of it. It stays in reach while the list scrolls. */
export function FeedToolbar({ channel, q, onReadAll, children }: Props) {
  return (
    <div className={classes.toolbar}>
      <nav aria-label={words.feed.parts.label} className={classes.parts}>
        {parts.map((part) => (
          <Link
            key={part ?? 'all'}
            to="/feed"
            search={{ channel, q, part }}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
            className={classes.part}
          >
            {part ? words.feed.parts[part] : words.feed.all}
          </Link>
        ))}
      </nav>
      <div className={classes.toolbarEnd}>
        {onReadAll && (
          <Button
            size="sm"
            variant="subtle"
            flex="none"
            className={classes.readAll}
            leftSection={<IconChecks size={20} aria-hidden />}
            aria-label={words.feed.markAll}
            title={words.feed.markAll}
            onClick={onReadAll}
          >
            {words.feed.markAllShort}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

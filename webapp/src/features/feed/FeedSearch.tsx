import { useNavigate } from '@tanstack/react-router'
import type { FeedView } from '../../data/notifications'
import { words } from '../../i18n/words'
import { formatChannel } from '../../lib/paths'
import { SearchField } from '../../ui/SearchField'
import { useWide } from '../../ui/useWide'
import classes from './feed.module.css'

/** Searches the feed, or the channel of it that is shown. */
export function FeedSearch({ view: { channel, part, q } }: { view: FeedView }) {
  const wide = useWide()
  const navigate = useNavigate({ from: '/feed' })
  return (
    <div className={classes.search}>
      <SearchField
        label={words.feed.search}
        hint={words.feed.search}
        value={q}
        onSearch={(next) =>
          void navigate({
            search: ({ notification }) => ({
              channel: channel && formatChannel(channel),
              part,
              q: next,
              // what is opened beside the list stays, because it may have been opened after the last letter
              notification: wide ? notification : undefined,
            }),
            replace: true,
          })
        }
      />
    </div>
  )
}

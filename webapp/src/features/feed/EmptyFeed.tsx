import { IconBell, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { FeedView } from '../../data/notifications'
import { subscriptionsQuery } from '../../data/subscriptions'
import { emptyFeed } from '../../i18n/empty-feed'
import { words } from '../../i18n/words'
import { formatChannel } from '../../lib/paths'
import { EmptyState } from '../../ui/EmptyState'
import { LinkButton } from '../../ui/LinkButton'

/** Says why nothing is in the feed. */
export default function EmptyFeed({ view: { channel, part, q } }: { view: FeedView }) {
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery())
  if (q) {
    return (
      <EmptyState icon={<IconSearch />} {...emptyFeed.nothingFound}>
        <LinkButton variant="default" to="/feed" search={{ channel: channel && formatChannel(channel), part }}>
          {words.channels.clear}
        </LinkButton>
      </EmptyState>
    )
  }
  const special = (part && emptyFeed[part]) || (channel && words.feed.emptyChannel)
  if (special) return <EmptyState icon={<IconBell />} {...special} />
  return (
    <EmptyState
      icon={<IconBell />}
      title={emptyFeed.title}
      text={subscriptions.length > 0 ? emptyFeed.quiet : emptyFeed.text}
    >
      <LinkButton to="/channels">{emptyFeed.action}</LinkButton>
    </EmptyState>
  )
}

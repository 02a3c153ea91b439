import { IconMoodEmpty, IconSearchOff } from '@tabler/icons-react'
import type { ChannelSearch } from '../../data/channels'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { EmptyState } from '../../ui/EmptyState'
import { LinkButton } from '../../ui/LinkButton'

/** Says that a search has found no channel, and how to go on. */
export function NothingFound({ search: { q, category } }: { search: ChannelSearch }) {
  if (!q && !category) {
    return <EmptyState icon={<IconMoodEmpty />} title={words.channels.none.title} text={words.channels.none.text} />
  }
  return (
    <EmptyState icon={<IconSearchOff />} title={words.channels.empty.title} text={words.channels.empty.text}>
      {q && category && (
        <LinkButton size="sm" to="/channels" search={{ q }} resetScroll={false}>
          {discovery.everywhere}
        </LinkButton>
      )}
      <LinkButton size="sm" variant="default" to="/channels" search={{}}>
        {words.channels.clear}
      </LinkButton>
    </EmptyState>
  )
}

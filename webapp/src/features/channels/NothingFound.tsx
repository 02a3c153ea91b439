import { Button } from '@mantine/core'
import { IconMoodEmpty, IconSearchOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ChannelSearch } from '../../data/channels'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { EmptyState } from '../../ui/EmptyState'

/** Says that a search has found no channel, and how to go on. */
export function NothingFound({ search: { q, category } }: { search: ChannelSearch }) {
  if (!q && !category) {
    return <EmptyState icon={<IconMoodEmpty />} title={words.channels.none.title} text={words.channels.none.text} />
  }
  return (
    <EmptyState icon={<IconSearchOff />} title={words.channels.empty.title} text={words.channels.empty.text}>
      {q && category && (
        <Button size="sm" renderRoot={(props) => <Link {...props} to="/channels" search={{ q }} resetScroll={false} />}>
          {discovery.everywhere}
        </Button>
      )}
      <Button size="sm" variant="default" renderRoot={(props) => <Link {...props} to="/channels" search={{}} />}>
        {words.channels.clear}
      </Button>
    </EmptyState>
  )
}

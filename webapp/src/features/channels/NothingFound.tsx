import { Button } from '@mantine/core'
import { IconMoodEmpty, IconSearchOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ChannelSearch } from '../../data/channels'
import { discovery } from '../../i18n/discovery'
import { pt } from '../../i18n/pt'
import { EmptyState } from '../../ui/EmptyState'

/** Says that a search has found no channel, and how to go on. */
export function NothingFound({ search: { q, category } }: { search: ChannelSearch }) {
  if (!q && !category) {
    return <EmptyState icon={<IconMoodEmpty />} title={pt.channels.none.title} text={pt.channels.none.text} />
  }
  return (
    <EmptyState icon={<IconSearchOff />} title={pt.channels.empty.title} text={pt.channels.empty.text}>
      {q && category && (
        <Button renderRoot={(props) => <Link {...props} to="/channels" search={{ q }} resetScroll={false} />}>
          {discovery.everywhere}
        </Button>
      )}
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/channels" search={{}} />}>
        {pt.channels.clear}
      </Button>
    </EmptyState>
  )
}

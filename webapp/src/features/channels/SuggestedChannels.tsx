import { IconMoodEmpty } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { EmptyState } from '../../ui/EmptyState'
import { ListSkeleton } from '../../ui/skeletons'
import { ChannelCard } from './ChannelCard'
import classes from './ChannelList.module.css'
import { categoriesQuery, suggestedQuery } from './queries'

/** The most followed channels of some categories, or of all. */
export function SuggestedChannels({ categoryIds }: { categoryIds: string[] }) {
  const { data: categories = [] } = useQuery(categoriesQuery())
  const slugs = categories.filter(({ id }) => categoryIds.includes(id)).map(({ slug }) => slug)
  const lists = useQueries({
    queries: (slugs.length > 0 ? slugs : [undefined]).map((category) => suggestedQuery(category)),
    combine: (results) => ({
      isPending: results.some(({ isPending }) => isPending),
      channels: results.flatMap(({ data }) => data ?? []),
    }),
  })
  if (lists.isPending) return <ListSkeleton label={pt.loading} rows={3} />
  if (lists.channels.length === 0) {
    return <EmptyState icon={<IconMoodEmpty />} title={pt.onboarding.channels.empty} />
  }
  return (
    <ul className={classes.list}>
      {lists.channels.map((channel) => (
        <ChannelCard key={channel.id} channel={channel} />
      ))}
    </ul>
  )
}

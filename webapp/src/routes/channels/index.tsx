import { createFileRoute } from '@tanstack/react-router'
import { categoriesQuery } from '../../data/categories'
import { channelsQuery } from '../../data/channels'
import { ChannelFilter } from '../../features/channels/ChannelFilter'
import { ChannelList } from '../../features/channels/ChannelList'
import { NothingFound } from '../../features/channels/NothingFound'
import { pt } from '../../i18n/pt'
import { textOf } from '../../lib/search'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

type Search = { q?: string; category?: string }

export const Route = createFileRoute('/channels/')({
  validateSearch: ({ q, category }: Record<string, unknown>): Search => ({ q: textOf(q), category: textOf(category) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(categoriesQuery())
    void queryClient.prefetchInfiniteQuery(channelsQuery(deps))
  },
  component: Channels,
})

function Channels() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <Column wide>
      <PageTitle>{pt.channels.title}</PageTitle>
      <ChannelFilter
        search={search}
        onSearch={(q) => void navigate({ search: (before) => ({ ...before, q }), replace: true, resetScroll: false })}
      />
      <ChannelList search={search} empty={<NothingFound search={search} />} />
    </Column>
  )
}

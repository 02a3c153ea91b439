import { createFileRoute } from '@tanstack/react-router'
import { categoriesQuery } from '../../data/categories'
import { channelsQuery } from '../../data/channels'
import { ChannelFilter } from '../../features/channels/ChannelFilter'
import { ChannelLine } from '../../features/channels/ChannelLine'
import { ChannelList } from '../../features/channels/ChannelList'
import { FoundPublishers } from '../../features/channels/FoundPublishers'
import { NothingFound } from '../../features/channels/NothingFound'
import { listedBy, searchOf } from '../../features/channels/search'
import { words } from '../../i18n/words'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/channels/')({
  validateSearch: searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(categoriesQuery())
    void queryClient.prefetchInfiniteQuery(channelsQuery(listedBy(deps)))
  },
  component: Channels,
})

function Channels() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <Column wide>
      <PageTitle>{words.channels.title}</PageTitle>
      <ChannelFilter
        search={search}
        onSearch={(q) => void navigate({ search: (before) => ({ ...before, q }), replace: true, resetScroll: false })}
      />
      {search.q && <FoundPublishers q={search.q} />}
      <ChannelLine search={search} />
      <ChannelList search={listedBy(search)} empty={<NothingFound search={search} />} />
    </Column>
  )
}

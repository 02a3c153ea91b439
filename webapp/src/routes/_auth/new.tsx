import { createFileRoute } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../data/categories'
import { myPublishersQuery } from '../../data/publishers'
import { useMayCreatePublishers } from '../../data/useSignedIn'
import { Beginning } from '../../features/membership/Beginning'
import { Begin } from '../../features/studio/Begin'
import { studio } from '../../i18n/studio'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/_auth/new')({
  staticData: { within: '/studio' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(categoriesQuery()), queryClient.ensureQueryData(myPublishersQuery())]),
  component: New,
})

function New() {
  const { data: categories } = useSuspenseQuery(categoriesQuery())
  const { data: publishers } = useSuspenseQuery(myPublishersQuery())
  const mayCreatePublishers = useMayCreatePublishers()
  const navigate = Route.useNavigate()
  return (
    <Column>
      <BackLink to="/studio">{studio.title}</BackLink>
      <PageTitle>{studio.begin.title}</PageTitle>
      {publishers.length > 0 || mayCreatePublishers ? (
        <Begin
          publishers={publishers}
          categories={categories}
          onCreated={(channel) => void navigate(studioPageOf(channel))}
        />
      ) : (
        <Beginning />
      )}
    </Column>
  )
}

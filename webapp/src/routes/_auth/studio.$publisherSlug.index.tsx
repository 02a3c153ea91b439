import { Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Navigate, createFileRoute, notFound } from '@tanstack/react-router'
import { apiKeysQuery, membersQuery } from '../../data/publisher-access'
import { myPublishersQuery } from '../../data/publishers'
import { StorageUse } from '../../features/membership/StorageUse'
import { Endpoints } from '../../features/studio/Endpoints'
import { Keys } from '../../features/studio/Keys'
import { Members } from '../../features/studio/Members'
import { access } from '../../i18n/access'
import { studio } from '../../i18n/studio'
import { BackLink } from '../../ui/BackLink'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/_auth/studio/$publisherSlug/')({
  staticData: { within: '/studio' },
  loader: async ({ context: { queryClient }, params: { publisherSlug } }) => {
    void queryClient.prefetchQuery(membersQuery(publisherSlug))
    void queryClient.prefetchQuery(apiKeysQuery(publisherSlug))
    const publishers = await queryClient.ensureQueryData(myPublishersQuery())
    if (!publishers.some(({ slug }) => slug === publisherSlug)) throw notFound()
  },
  component: Access,
})

function Access() {
  const { publisherSlug } = Route.useParams()
  const { data: publishers } = useSuspenseQuery(myPublishersQuery())
  const publisher = publishers.find(({ slug }) => slug === publisherSlug)
  if (!publisher) return <Navigate to="/studio" replace /> // the person has just left
  return (
    <Column>
      <BackLink to="/studio">{studio.title}</BackLink>
      <PageTitle>{access.title(publisher.name)}</PageTitle>
      <Stack gap={24}>
        <Members publisher={publisher} />
        <Keys publisher={publisher} />
        <Endpoints publisher={publisher} />
        <StorageUse publisher={publisher.slug} />
      </Stack>
    </Column>
  )
}

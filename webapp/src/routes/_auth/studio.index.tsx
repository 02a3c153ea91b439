import { createFileRoute } from '@tanstack/react-router'
import { invitationsQuery } from '../../data/invitations'
import { myPublishersQuery } from '../../data/publishers'
import { Memberships } from '../../features/membership/Memberships'
import { studio } from '../../i18n/studio'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/_auth/studio/')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(myPublishersQuery())
    void queryClient.prefetchQuery(invitationsQuery())
  },
  component: Studio,
})

function Studio() {
  return (
    <Column>
      <PageTitle>{studio.title}</PageTitle>
      <Memberships />
    </Column>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { Invitations } from '../../features/membership/Invitations'
import { invitations } from '../../i18n/invitations'
import { BackToSettings } from '../../ui/BackToSettings'
import { Column } from '../../ui/Column'
import { PageTitle } from '../../ui/PageTitle'

export const Route = createFileRoute('/_auth/invitations')({
  staticData: { within: '/settings' },
  component: InvitationsPage,
})

function InvitationsPage() {
  return (
    <Column>
      <BackToSettings />
      <PageTitle>{invitations.title}</PageTitle>
      <Invitations />
    </Column>
  )
}

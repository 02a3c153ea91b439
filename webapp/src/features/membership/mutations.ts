import type { PublisherRequestInput } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { invitationKeys } from '../../data/invitations'
import { publisherRequestQuery } from '../../data/publisher-request'
import { myPublishersQuery } from '../../data/publishers'
import { sessionKeys } from '../../data/session'
import { asking } from '../../i18n/asking'
import { invitations } from '../../i18n/invitations'
import { api, call } from '../../lib/api'

/** Failures show the server's text, such as about an invitation that was withdrawn meanwhile. */
export const acceptInvitationMutation = (name: string) =>
  mutationOptions({
    mutationFn: (id: string) => call(api().POST('/subscribers/invitations/{id}/accept', { params: { path: { id } } })),
    meta: {
      invalidates: [invitationKeys.all, myPublishersQuery().queryKey, sessionKeys.auth],
      successMessage: invitations.accepted(name),
    },
  })

export const declineInvitationMutation = () =>
  mutationOptions({
    mutationFn: (id: string) => call(api().POST('/subscribers/invitations/{id}/decline', { params: { path: { id } } })),
    meta: { invalidates: [invitationKeys.all], successMessage: invitations.declined },
  })

export const askMutation = () =>
  mutationOptions({
    mutationFn: (body: PublisherRequestInput) => call(api().PUT('/subscribers/publisher-request', { body })),
    meta: { invalidates: [publisherRequestQuery().queryKey], successMessage: asking.sent },
  })

export const withdrawRequestMutation = () =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/subscribers/publisher-request')),
    meta: { invalidates: [publisherRequestQuery().queryKey], successMessage: asking.withdrawn },
  })

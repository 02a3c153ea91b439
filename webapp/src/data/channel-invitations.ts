import type { ReceivedChannelInvitation } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'

export const channelInvitationKeys = {
  all: ['channel-invitation'] as const,
  one: (secret: string) => ['channel-invitation', secret] as const,
}

/** What an invitation to a channel leads to, or `null` if it has ended or never was. The secret is in no address. */
export const channelInvitationQuery = (secret: string) =>
  queryOptions({
    queryKey: channelInvitationKeys.one(secret),
    queryFn: ({ signal }): Promise<ReceivedChannelInvitation | null> =>
      unlessMissing(call(api().POST('/channel-invitations/show', { body: { secret }, signal }))),
  })

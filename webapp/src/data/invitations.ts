import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

export const invitationKeys = { all: ['membership-invitations'] as const }

/** The membership invitations that wait for an answer of the signed-in person. */
export const invitationsQuery = () =>
  queryOptions({
    queryKey: invitationKeys.all,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/invitations', { params: { query }, signal }))),
    staleTime: 5 * 60_000,
  })

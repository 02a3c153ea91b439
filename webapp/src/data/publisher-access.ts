import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

/** Who and what may publish for a publisher. */
export const accessKeys = {
  members: (publisher: string) => ['publishers', 'members', publisher] as const,
  invitations: (publisher: string) => ['publishers', 'invitations', publisher] as const,
  apiKeys: (publisher: string) => ['publishers', 'api-keys', publisher] as const,
}

export const membersQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: accessKeys.members(publisherSlug),
    queryFn: ({ signal }) =>
      everything((query) =>
        call(api().GET('/publishers/{publisherSlug}/members', { params: { path: { publisherSlug }, query }, signal })),
      ),
  })

/** The invitations to become a member that nobody has answered, for owners. */
export const pendingInvitationsQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: accessKeys.invitations(publisherSlug),
    queryFn: async ({ signal }) => {
      const all = await everything((query) =>
        call(
          api().GET('/publishers/{publisherSlug}/invitations', { params: { path: { publisherSlug }, query }, signal }),
        ),
      )
      return all.filter(({ state }) => state === 'pending')
    },
  })

/** The keys with which programs publish, without their secrets. */
export const apiKeysQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: accessKeys.apiKeys(publisherSlug),
    queryFn: ({ signal }) =>
      everything((query) =>
        call(api().GET('/publishers/{publisherSlug}/api-keys', { params: { path: { publisherSlug }, query }, signal })),
      ),
  })

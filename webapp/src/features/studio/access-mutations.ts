import { mutationOptions } from '@tanstack/react-query'
import { accessKeys } from '../../data/publisher-access'
import { myPublishersQuery } from '../../data/publishers'
import { sessionKeys } from '../../data/session'
import { access } from '../../i18n/access'
import { api, call } from '../../lib/api'

type Role = 'owner' | 'editor'

const { people, keys } = access

export const inviteMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (body: { email: string; role: Role }) =>
      call(api().POST('/publishers/{publisherSlug}/invitations', { params: { path: { publisherSlug } }, body })),
    meta: { invalidates: [accessKeys.invitations(publisherSlug)], successMessage: people.sent },
  })

export const withdrawInvitationMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE('/publishers/{publisherSlug}/invitations/{id}', { params: { path: { publisherSlug, id } } })),
    meta: { invalidates: [accessKeys.invitations(publisherSlug)], successMessage: people.withdrawn },
  })

/** Makes an owner an editor. Nobody becomes an owner but by accepting an invitation. */
export const makeEditorMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(
        api().PATCH('/publishers/{publisherSlug}/members/{id}', {
          params: { path: { publisherSlug, id } },
          body: { role: 'editor' },
        }),
      ),
    meta: { invalidates: [accessKeys.members(publisherSlug)], successMessage: people.changed },
  })

export const removeMemberMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE('/publishers/{publisherSlug}/members/{id}', { params: { path: { publisherSlug, id } } })),
    meta: {
      invalidates: [
        accessKeys.members(publisherSlug),
        accessKeys.apiKeys(publisherSlug),
        myPublishersQuery().queryKey,
        sessionKeys.auth,
      ],
      successMessage: people.removed,
    },
  })

/** What a key may do. */
export const permissions = {
  publish: ['publish'],
  all: ['publish', 'channels', 'read'],
} as const satisfies Record<string, ('publish' | 'channels' | 'read')[]>
export type Permission = keyof typeof permissions

export const createKeyMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: ({ name, permission }: { name: string; permission: Permission }) =>
      call(
        api().POST('/publishers/{publisherSlug}/api-keys', {
          params: { path: { publisherSlug } },
          body: { name, scopes: [...permissions[permission]] },
        }),
      ),
    // the response contains the secret, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [accessKeys.apiKeys(publisherSlug)] },
  })

export const rotateKeyMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(
        api().POST('/publishers/{publisherSlug}/api-keys/{id}/rotate', {
          params: { path: { publisherSlug, id } },
          body: {},
        }),
      ),
    gcTime: 0,
    meta: { invalidates: [accessKeys.apiKeys(publisherSlug)] },
  })

export const revokeKeyMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE('/publishers/{publisherSlug}/api-keys/{id}', { params: { path: { publisherSlug, id } } })),
    meta: { invalidates: [accessKeys.apiKeys(publisherSlug)], successMessage: keys.revoked },
  })

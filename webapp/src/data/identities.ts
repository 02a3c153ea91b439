import type { SignInMethod } from '@sininho/sdk'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { openPage } from '../lib/page'
import { loadedAhead } from './timing'

export const identityKeys = { all: ['identities'] as const }

/** What the person signs in with, oldest first. */
export const identitiesQuery = () =>
  queryOptions({
    queryKey: identityKeys.all,
    queryFn: async ({ signal }) => (await call(api().GET('/subscribers/identities', { signal }))).data,
    staleTime: loadedAhead,
  })

/** What is added: an account at a provider, or an email address. */
export type NewIdentity = { kind: 'google' } | { kind: 'oidc'; provider: string } | { kind: 'email'; email: string }

/** What a way to sign in, other than by email, adds. */
export const identityOf = ({ kind, provider }: SignInMethod): NewIdentity =>
  kind === 'oidc' ? { kind, provider: provider ?? '' } : { kind: 'google' }

/**
 * Begins to add an identity, which ends on a path, and opens the page that continues. Somebody without an account saves
 * what they follow in the account of the identity.
 */
export const addIdentityMutation = (redirect: string) =>
  mutationOptions({
    mutationFn: (body: NewIdentity) => call(api().POST('/subscribers/identities', { body: { ...body, redirect } })),
    onSuccess: ({ url }) => openPage(url),
  })

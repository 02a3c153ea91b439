import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'

export const sessionKeys = {
  /** Prefix of the keys of the session and of the profile. */
  all: ['session'] as const,
  auth: ['session', 'auth'] as const,
  me: ['session', 'me'] as const,
}

/** The caller, who may be a visitor, and the available sign-in methods. */
export const authQuery = () =>
  queryOptions({
    queryKey: sessionKeys.auth,
    queryFn: ({ signal }) => call(api().GET('/auth', { signal })),
    staleTime: 60_000,
  })

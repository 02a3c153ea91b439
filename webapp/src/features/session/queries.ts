import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../../lib/api'

export const sessionKeys = {
  all: ['session'] as const,
  auth: ['session', 'auth'] as const,
  me: ['session', 'me'] as const,
}

/** Who is here, visitors too, and the ways to sign in. */
export const authQuery = () =>
  queryOptions({
    queryKey: sessionKeys.auth,
    queryFn: ({ signal }) => call(api().GET('/auth', { signal })),
    staleTime: 60_000,
  })

/** The signed-in person's profile. */
export const meQuery = () =>
  queryOptions({
    queryKey: sessionKeys.me,
    queryFn: ({ signal }) => call(api().GET('/subscribers/me', { signal })),
  })

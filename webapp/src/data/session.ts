import type { Subscriber } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { type Versioned, api, call, versioned } from '../lib/api'

export const sessionKeys = {
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

export type Me = Versioned<Subscriber>

/** The signed-in person's profile. */
export const meQuery = () =>
  queryOptions({
    queryKey: sessionKeys.me,
    queryFn: ({ signal }): Promise<Me> => versioned(api().GET('/subscribers/me', { signal })),
  })

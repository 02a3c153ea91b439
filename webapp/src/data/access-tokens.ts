import type { components } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

export type AccessToken = components['schemas']['AccessToken']

export const settingsKeys = { tokens: ['settings', 'tokens'] as const }

/** The person's access tokens, without their secrets. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: settingsKeys.tokens,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/access-tokens', { params: { query }, signal }))),
  })

import type { components } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { loadedAhead } from './timing'

export type AccessToken = components['schemas']['AccessToken']
export type TokenScope = components['schemas']['TokenScopeInput']

export const tokenKeys = { all: ['access-tokens'] as const }

/** The person's access tokens, without their secrets. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: tokenKeys.all,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/access-tokens', { params: { query }, signal }))),
    staleTime: loadedAhead,
  })

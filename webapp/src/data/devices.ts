import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { loadedAhead } from './timing'

export const deviceKeys = { all: ['devices'] as const }

export const devicesQuery = () =>
  queryOptions({
    queryKey: deviceKeys.all,
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET('/subscribers/devices', { params: { query }, signal }))),
    staleTime: loadedAhead,
  })

import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { loadedAhead } from './timing'

export const sessionKeys = { all: ['sessions'] as const }

/** The browsers in which the person is signed in, this one first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: sessionKeys.all,
    queryFn: async ({ signal }) => {
      const all = await everything((query) => call(api().GET('/subscribers/sessions', { params: { query }, signal })))
      return [...all.filter(({ current }) => current), ...all.filter(({ current }) => !current)]
    },
    staleTime: loadedAhead,
  })

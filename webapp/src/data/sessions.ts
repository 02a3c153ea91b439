import type { Session } from '@sininho/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
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

/** Keeps only some sessions in the list, at once. Returns a function that reverts it. */
export async function keepSessions(client: QueryClient, kept: (session: Session) => boolean) {
  await client.cancelQueries({ queryKey: sessionKeys.all })
  const before = client.getQueryData<Session[]>(sessionKeys.all)
  client.setQueryData<Session[]>(sessionKeys.all, (all) => all?.filter(kept))
  return () => client.setQueryData(sessionKeys.all, before)
}

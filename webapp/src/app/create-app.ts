import type { RouterHistory } from '@tanstack/react-router'
import { forgetKept, restoreData } from '../data/kept'
import { authQuery } from '../data/session'
import { createQueryClient } from '../lib/query-client'
import { toaster } from '../ui/toaster'
import { createAppRouter } from './router'

/** Creates the query client and the router of an app. */
export function createApp(history?: RouterHistory) {
  const queryClient = createQueryClient(toaster, () => void recheckSession().catch(() => undefined))
  restoreData(queryClient)
  const router = createAppRouter(queryClient, history)
  void checkKept().catch(() => undefined)

  /** Runs after a 401: if the session has really ended, the guard redirects to sign-in. */
  async function recheckSession() {
    const before = queryClient.getQueryData(authQuery().queryKey)
    const auth = await queryClient.fetchQuery({ ...authQuery(), staleTime: 0 })
    if (auth.caller === 'subscriber') return
    forgetKept()
    await router.invalidate()
    if (before?.caller !== 'subscriber') return
    // also of the pages that visitors see
    queryClient.removeQueries({ type: 'inactive' })
    await queryClient.resetQueries()
  }

  /** Drops what was kept if the session has ended or is another person's. */
  async function checkKept() {
    const kept = queryClient.getQueryData(authQuery().queryKey)
    if (!kept) return
    const auth = await queryClient.fetchQuery({ ...authQuery(), staleTime: 0 })
    if (auth.subscriber?.id === kept.subscriber?.id) return
    forgetKept()
    await queryClient.resetQueries()
    await router.invalidate()
  }

  return { queryClient, router }
}

import type { RouterHistory } from '@tanstack/react-router'
import { authQuery } from '../data/session'
import { createQueryClient } from '../lib/query-client'
import { toaster } from '../ui/toaster'
import { createAppRouter } from './router'

/** Creates the query client and the router of an app. */
export function createApp(history?: RouterHistory) {
  const queryClient = createQueryClient(toaster, () => void recheckSession())
  const router = createAppRouter(queryClient, history)

  /** Runs after a 401: if the session has really ended, the guard redirects to sign-in. */
  async function recheckSession() {
    const auth = await queryClient.fetchQuery({ ...authQuery(), staleTime: 0 })
    if (auth.caller !== 'subscriber') await router.invalidate()
  }

  return { queryClient, router }
}

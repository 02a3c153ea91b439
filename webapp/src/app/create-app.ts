import type { RouterHistory } from '@tanstack/react-router'
import { authQuery } from '../features/session/queries'
import { createQueryClient } from '../lib/query-client'
import { toaster } from '../ui/toaster'
import { createAppRouter } from './router'

/** The parts of a running app: what it knows and where it is. */
export function createApp(history?: RouterHistory) {
  const queryClient = createQueryClient(toaster, () => void recheckSession())
  const router = createAppRouter(queryClient, history)

  /** Something answered 401: if the session is really over, the guard has the visitor sign in again. */
  async function recheckSession() {
    const auth = await queryClient.fetchQuery({ ...authQuery(), staleTime: 0 })
    if (auth.caller !== 'subscriber') await router.invalidate()
  }

  return { queryClient, router }
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { forgetInvitation } from '../lib/joining'
import { forgetKept } from './kept'

/** Returns to the first screen after the session has ended and drops its data, so that nobody else can see it. */
export function useLeave() {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await router.navigate({ to: '/' })
    forgetKept()
    forgetInvitation()
    client.removeQueries({ type: 'inactive' })
    await client.resetQueries()
    await router.invalidate()
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'

/** To the first screen, once the session is over: nothing of this person may be seen by the next. */
export function useLeave() {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await router.navigate({ to: '/' })
    await client.resetQueries()
    await router.invalidate()
  }
}

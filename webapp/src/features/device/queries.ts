import { ApiError } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../../lib/api'

export const deviceKeys = {
  signIn: (userCode: string) => ['device-sign-in', userCode] as const,
}

/** What asks to be signed in with a code; `null` when no program waits with it (any more). */
export const deviceSignInQuery = (userCode: string) =>
  queryOptions({
    queryKey: deviceKeys.signIn(userCode),
    queryFn: async ({ signal }) => {
      try {
        return await call(api().GET('/auth/device', { params: { query: { userCode } }, signal }))
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null
        throw error
      }
    },
    // the answer changes it, and what another tab did must be seen
    staleTime: 0,
  })

import { ApiError } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'

export const deviceSignInKeys = {
  detail: (userCode: string) => ['device-sign-in', userCode] as const,
}

/** The sign-in request with this code, or `null` if no program is waiting with it. */
export const deviceSignInQuery = (userCode: string) =>
  queryOptions({
    queryKey: deviceSignInKeys.detail(userCode),
    queryFn: async ({ signal }) => {
      try {
        return await call(api().GET('/auth/device', { params: { query: { userCode } }, signal }))
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null
        throw error
      }
    },
    // approving changes it, and another tab may have done so
    staleTime: 0,
  })

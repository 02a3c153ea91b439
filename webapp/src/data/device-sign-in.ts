import { queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'

export const deviceSignInKeys = {
  detail: (userCode: string) => ['device-sign-in', userCode] as const,
}

/** The sign-in request with this code, or `null` if no program is waiting with it. */
export const deviceSignInQuery = (userCode: string) =>
  queryOptions({
    queryKey: deviceSignInKeys.detail(userCode),
    queryFn: ({ signal }) =>
      unlessMissing(call(api().GET('/auth/device', { params: { query: { userCode } }, signal }))),
    // approving changes it, and another tab may have done so
    staleTime: 0,
  })

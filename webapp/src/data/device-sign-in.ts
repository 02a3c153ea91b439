import { queryOptions } from '@tanstack/react-query'
import { api, call, unlessMissing } from '../lib/api'

/** The sign-in request with this code, or `null` if no program is waiting with it. */
export const deviceSignInQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['device-sign-in', userCode],
    queryFn: ({ signal }) =>
      unlessMissing(call(api().GET('/auth/device', { params: { query: { userCode } }, signal }))),
    // approving changes it, and another tab may have done so
    staleTime: 0,
  })

import { ApiError } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { call, waitlistApi } from '../../lib/api'

export const waitlistKeys = {
  place: (token: string) => ['waitlist', token] as const,
}

/** Whether the token is not one that the list knows (any more). */
export const isUnknown = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 422)

/** The place of whoever has the e-mailed token, whose address is confirmed by looking; `null` when there is none. */
export const placeQuery = (token: string) =>
  queryOptions({
    queryKey: waitlistKeys.place(token),
    queryFn: async ({ signal }) => {
      const params = { path: { token } }
      try {
        const place = await call(waitlistApi().GET('/waitlist/entries/{token}', { params, signal }))
        if (place.status !== 'unconfirmed') return place
        return await call(waitlistApi().POST('/waitlist/entries/{token}/confirm', { params, signal }))
      } catch (error) {
        if (isUnknown(error)) return null
        throw error
      }
    },
  })

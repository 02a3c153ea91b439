import { ApiError } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { call, waitlistApi } from '../lib/api'

export const waitlistKeys = {
  place: (token: string) => ['waitlist', token] as const,
}

/** Reports whether the token is malformed (422) or of no entry, or of a deleted one (404). */
export const isUnknown = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 422)

/** The entry of an emailed token, or `null` if there is none. Fetching it confirms the address. */
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

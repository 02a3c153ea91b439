import { queryOptions } from '@tanstack/react-query'
import { call, unlessMissing, waitlistApi } from '../lib/api'

export const waitlistKeys = {
  place: (token: string) => ['waitlist', token] as const,
}

/** The entry of an emailed token, or `null` if there is none. Fetching it confirms the address. */
export const placeQuery = (token: string) =>
  queryOptions({
    queryKey: waitlistKeys.place(token),
    queryFn: ({ signal }) => unlessMissing(confirmed(token, signal)),
  })

async function confirmed(token: string, signal: AbortSignal) {
  const params = { path: { token } }
  const place = await call(waitlistApi().GET('/waitlist/entries/{token}', { params, signal }))
  if (place.status !== 'unconfirmed') return place
  return call(waitlistApi().POST('/waitlist/entries/{token}/confirm', { params, signal }))
}

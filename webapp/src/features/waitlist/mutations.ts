import type { WaitlistEntryInput } from '@sininho/sdk'
import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { waitlist } from '../../i18n/waitlist'
import { call, waitlistApi } from '../../lib/api'
import { isUnknown, waitlistKeys } from './queries'

/** The server's own words tell what is wrong; what went well is told where the form was. */
export const joinMutation = () =>
  mutationOptions({
    mutationFn: (body: WaitlistEntryInput) => call(waitlistApi().POST('/waitlist/entries', { body })),
  })

/** Who has left already, in another window, has left. */
export const leaveMutation = (client: QueryClient, token: string) =>
  mutationOptions({
    mutationFn: async () => {
      try {
        await call(waitlistApi().DELETE('/waitlist/entries/{token}', { params: { path: { token } } }))
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
    },
    onSuccess: () => client.setQueryData(waitlistKeys.place(token), null),
    meta: { errorMessage: waitlist.place.leaveFailed },
  })

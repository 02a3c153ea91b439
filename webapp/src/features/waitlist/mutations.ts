import type { WaitlistEntryInput } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { waitlistKeys } from '../../data/waitlist'
import { waitlist } from '../../i18n/waitlist'
import { call, unlessMissing, waitlistApi } from '../../lib/api'

/** Failures show the server's text; success replaces the form. */
export const joinMutation = () =>
  mutationOptions({
    mutationFn: (body: WaitlistEntryInput) => call(waitlistApi().POST('/waitlist/entries', { body })),
  })

/** Leaves the list. Succeeds if the entry is already gone, such as after leaving in another window. */
export const leaveMutation = (token: string) =>
  mutationOptions({
    mutationFn: () =>
      unlessMissing(call(waitlistApi().DELETE('/waitlist/entries/{token}', { params: { path: { token } } }))),
    onSuccess: (_left, _nothing, _shown, { client }) => client.setQueryData(waitlistKeys.place(token), null),
    meta: { errorMessage: waitlist.place.leaveFailed },
  })

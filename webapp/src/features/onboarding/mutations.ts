import type { Onboarding, OnboardingInput } from '@sininho/sdk'
import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'
import { deviceTimezone } from '../../lib/timezones'
import { sessionKeys } from '../session/queries'
import { onboardingKeys } from './queries'

/**
 * Each step is saved as it is left, so that it goes on where it was, on any device. With the last one a new account
 * takes this device's timezone; where the server does not know it, it keeps what it has.
 */
export const saveOnboardingMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: async (body: OnboardingInput) => {
      const isNew = client.getQueryData<Onboarding>(onboardingKeys.all)?.step !== 'done'
      if (body.step === 'done' && isNew) {
        await call(api().PATCH('/subscribers/me', { body: { timezone: deviceTimezone() } })).catch(() => undefined)
      }
      return call(api().PUT('/subscribers/onboarding', { body }))
    },
    onSuccess: (saved) => client.setQueryData(onboardingKeys.all, saved),
    meta: { invalidates: [sessionKeys.all], errorMessage: pt.onboarding.saveFailed },
  })

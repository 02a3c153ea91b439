import type { Onboarding, OnboardingInput } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { onboardingKeys } from '../../data/onboarding'
import { sessionKeys } from '../../data/session'
import { onboarding } from '../../i18n/onboarding'
import { api, call } from '../../lib/api'
import { deviceTimezone } from '../../lib/timezones'

/**
 * Each step is saved when it is left, so that the onboarding resumes there on any device. The last step also sets a new
 * account's timezone to this device's; if the server does not know that timezone, the account keeps its own.
 */
export const saveOnboardingMutation = () =>
  mutationOptions({
    mutationFn: async (body: OnboardingInput, { client }) => {
      const isNew = client.getQueryData<Onboarding>(onboardingKeys.all)?.step !== 'done'
      if (body.step === 'done' && isNew) {
        await call(api().PATCH('/subscribers/me', { body: { timezone: deviceTimezone() } })).catch(() => undefined)
      }
      return call(api().PUT('/subscribers/onboarding', { body }))
    },
    onSuccess: (saved, _input, _shown, { client }) => client.setQueryData(onboardingKeys.all, saved),
    meta: { invalidates: [sessionKeys.all], errorMessage: onboarding.saveFailed },
  })

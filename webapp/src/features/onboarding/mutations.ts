import type { OnboardingInput } from '@sininho/sdk'
import { type QueryClient, mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'
import { sessionKeys } from '../session/queries'
import { onboardingKeys } from './queries'

/** Each step is saved as it is left, so that it goes on where it was, on any device. */
export const saveOnboardingMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: OnboardingInput) => call(api().PUT('/subscribers/onboarding', { body })),
    onSuccess: (saved) => client.setQueryData(onboardingKeys.all, saved),
    meta: { invalidates: [sessionKeys.all], errorMessage: pt.onboarding.saveFailed },
  })

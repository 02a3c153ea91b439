import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'

export const onboardingKeys = { all: ['onboarding'] as const }

export const onboardingQuery = () =>
  queryOptions({
    queryKey: onboardingKeys.all,
    queryFn: ({ signal }) => call(api().GET('/subscribers/onboarding', { signal })),
  })
